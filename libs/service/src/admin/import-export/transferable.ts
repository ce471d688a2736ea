import { CollectionService, type NewMember } from '../../data/collections/collection-service.js';
import type { CollectionDefinition, HasId } from '../../data/definition/collection.js';
import { type ErrorDetail, lowerCaseUuid, ValidationError } from '@items/conventions';
import { Events, type EventsOptions } from '../../feed/events.js';
import { validate, validateStored, type DtoClass } from '@items/fields';
import type { Database, Transaction } from '../../data/database/database.js';
import { Idempotency } from '../../data/idempotency/idempotency.js';
import { isRowId } from '../../data/schema/row-id.js';
import { NIL } from 'uuid';
import type { StoredReference } from '../../data/definition/references.js';
import type { UniqueKey } from '../../data/definition/unique-keys.js';
import type { VersionedRow } from '../../data/database/versioned-row.js';

import { readPast } from './past.js';

/** Placeholder for the parent's id while the other fields are validated; {@link parentIn} reads the real id. */
const ANY_PARENT = NIL;

export interface ReadMember {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly past: NonNullable<NewMember<HasId>['past']>;
}

export interface Added {
  readonly member: ReadMember;
  readonly id: string;
}

export type FindMembers = <Resource extends HasId>(
  collection: Pick<CollectionDefinition<Resource, never>, 'name' | 'columns' | 'present'>,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, Resource>>;

/**
 * Rules of an import beyond those of POST.
 * @typeParam Line The fields of a line, as {@link completion} receives it.
 */
export interface ImportRules<Line = never> {
  /**
   * Class that validates a line without its id and times. Default: the `stored` class of the collection, or that of
   * POST.
   */
  readonly dto?: DtoClass;
  /** Returns values of columns that are read-only for clients, from a valid line. @throws {ValidationError} */
  readonly readOnly?: (line: Readonly<Record<string, unknown>>) => object;
  readonly unique?: readonly string[];
  readonly parents?: { readonly name: string; readonly singular: string };
  /**
   * Looks up referenced members for a batch. If this rule exists, lines may lack read-only fields.
   * @returns a function that returns fields to set in a line, or throws an `ApiError` to refuse the line.
   */
  readonly completion?: (find: FindMembers, lines: readonly Line[]) => Promise<(line: Line) => object>;
  /**
   * Called with each batch before its transaction.
   * @returns a function that runs in the transaction, after the inserts.
   */
  readonly beside?: (
    members: readonly ReadMember[],
  ) => Promise<(tx: Transaction, added: readonly Added[]) => Promise<void>>;
  /** Called after the commit. @param ids of the added members. */
  readonly onAdded?: (ids: readonly string[]) => void;
}

export interface Transferable extends Omit<ImportRules, 'dto' | 'readOnly'> {
  readonly name: string;
  readonly singular: string;
  readonly columns: readonly string[];
  /** Unique keys of the collection, in addition to the unique fields of {@link ImportRules}. */
  readonly keys: readonly UniqueKey[];
  readonly references: readonly StoredReference[];
  readonly parent: string | undefined;
  readonly toJson: (row: VersionedRow) => string;
  readonly read: (value: unknown) => ReadMember;
  /** @param from Row that supplies `lane`, `seq` and missing values. */
  readonly rowOf: (member: ReadMember, from: VersionedRow) => VersionedRow;
  readonly open: (
    database: Database,
    events: EventsOptions,
  ) => Promise<(tx: Transaction, members: readonly ReadMember[]) => Promise<readonly string[]>>;
}

export function formatMembers(count: number, { name, singular }: Pick<Transferable, 'name' | 'singular'>): string {
  return `${String(count)} ${count === 1 ? singular : name}`;
}

export function transferable<Resource extends HasId, Input, Hidden>(
  definition: CollectionDefinition<Resource, Input, Hidden>,
  { dto, readOnly = () => ({}), ...rules }: ImportRules = {},
): Transferable {
  type Member = NewMember<Resource, Hidden>;
  const { name, singular, columns, parent, toJson, stored } = definition;
  const validated = (line: unknown): object => {
    if (dto !== undefined || stored === undefined || typeof line !== 'object' || line === null) {
      return validate(dto ?? definition.dto, line);
    }
    const mayLack = rules.completion === undefined ? undefined : 'read-only fields';
    return validateStored(stored, parent === undefined ? line : { ...line, [parent]: ANY_PARENT }, mayLack);
  };
  return {
    ...rules,
    name,
    singular,
    columns: columns.map((column) => column.name),
    keys: definition.unique ?? [],
    references: (definition.references ?? []).filter(({ isParent }) => !isParent),
    parent,
    toJson,
    read: (value) => {
      const problems: ErrorDetail[] = [];
      const fields = collectProblems(problems, () => validated(withoutPast(value, parent))) ?? {};
      const past = collectProblems(problems, () => readPast(value)) ?? {};
      const keys = parent === undefined ? {} : parentIn(value, parent, problems);
      if (problems.length > 0) throw new ValidationError(problems);
      return { fields: { ...fields, ...keys, ...readOnly(value as Readonly<Record<string, unknown>>) }, past };
    },
    rowOf: ({ fields, past }, from) => ({ ...from, ...definition.storeNew(fields as Member['fields']), ...past }),
    open: async (database, options) => {
      const service = await openCollection(database, definition, options);
      return async (tx, members) => {
        const made = await service.insertAll(tx, members as readonly Member[]);
        return made.map(({ id }) => id);
      };
    },
  };
}

/** Opens a collection whose changes create events and audit records, as in the service. */
export async function openCollection<Resource extends HasId, Input, Hidden>(
  database: Database,
  definition: CollectionDefinition<Resource, Input, Hidden>,
  options: EventsOptions,
): Promise<CollectionService<Resource, Input, Hidden>> {
  const policy = { seals: [], ttlMs: 0 };
  const events = new Events(database, policy, options);
  const recorder = events.recorderOf(definition);
  const service = new CollectionService(database, new Idempotency(database), policy, definition, recorder);
  await events.begin();
  return service;
}

function collectProblems<T>(problems: ErrorDetail[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    problems.push(...error.details);
    return undefined;
  }
}

/** Removes id, times and parent, because POST ignores or refuses them. */
function withoutPast(value: unknown, parent: string | undefined): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { id: _id, created_at: _created, updated_at: _updated, ...rest } = value as Record<string, unknown>;
  if (parent !== undefined) Reflect.deleteProperty(rest, parent);
  return rest;
}

/** Reads the parent's id, which the API has in the path. */
function parentIn(value: unknown, parent: string, problems: ErrorDetail[]): Record<string, unknown> {
  const given = (value as Readonly<Record<string, unknown>> | null)?.[parent];
  const id = typeof given === 'string' ? lowerCaseUuid(given) : given;
  if (typeof id === 'string' && isRowId(id)) return { [parent]: id };
  problems.push(
    id === undefined
      ? { field: parent, code: 'required', message: `"${parent}" is required.` }
      : { field: parent, code: 'wrong_format', message: `"${parent}" must be a UUID.` },
  );
  return {};
}
