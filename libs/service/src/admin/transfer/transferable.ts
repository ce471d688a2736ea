import { CollectionService, type NewMember } from '../../data/collections/collection-service.js';
import type { CollectionDefinition, Identified } from '../../data/definition/collection.js';
import { type ErrorDetail, lowerCaseUuid, ValidationError } from '@items/conventions';
import { Events, type EventsOptions } from '../../feed/events.js';
import { validate, type DtoClass } from '@items/fields';
import type { Database, Transaction } from '../../data/database/database.js';
import { Idempotency } from '../../data/idempotency/idempotency.js';
import { isRowId } from '../../data/schema/row-id.js';
import type { VersionedRow } from '../../data/database/versioned-row.js';

import { readPast } from './past.js';

/** A member as a line of a file says it. */
export interface ReadMember {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly past: NonNullable<NewMember<Identified>['past']>;
}

/** A member that was added, and its id. */
export interface Added {
  readonly member: ReadMember;
  readonly id: string;
}

/** Finds those of the members of a collection that exist, by their ids. */
export type FindMembers = <Resource extends Identified>(
  collection: Pick<CollectionDefinition<Resource, never>, 'name' | 'columns' | 'present'>,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, Resource>>;

/** What an import does beyond adding rows. */
export interface ImportRules {
  /** What a line may hold beside the past, where that is not what POST accepts. */
  readonly dto?: DtoClass;
  /** Columns of what clients only read, from a line that is otherwise right. @throws {ValidationError} */
  readonly readOnly?: (line: Readonly<Record<string, unknown>>) => object;
  /** Fields that no two members share. */
  readonly unique?: readonly string[];
  /** The collection whose members the parents of a nested one are. */
  readonly parents?: Pick<CollectionDefinition<Identified, never>, 'name' | 'singular'>;
  /** Looks up what members refer to. @returns what completes each of them by that, and throws what refuses it. */
  readonly completion?: (
    find: FindMembers,
    members: readonly ReadMember[],
  ) => Promise<(member: ReadMember) => ReadMember>;
  /** Is given each batch before its transaction. @returns what is to be done in it, once the rows are there. */
  readonly beside?: (
    members: readonly ReadMember[],
  ) => Promise<(tx: Transaction, added: readonly Added[]) => Promise<void>>;
  /** Called after the commit. @param ids of the added members. */
  readonly onAdded?: (ids: readonly string[]) => void;
}

/** A collection that can be exported to a file, and imported, by what it says of itself. */
export interface Transferable extends Omit<ImportRules, 'dto' | 'readOnly'> {
  readonly name: string;
  /** One member, in words. */
  readonly singular: string;
  /** Names of the columns. */
  readonly columns: readonly string[];
  /** The column of a nested collection that names the parent. */
  readonly parent: string | undefined;
  /** JSON of a row, as the API shows it. */
  readonly toJson: (row: VersionedRow) => string;
  /** @throws {ValidationError} 422 */
  readonly read: (value: unknown) => ReadMember;
  /** The row that a member would be, but for its stamp. @param from what it has where the member does not say it. */
  readonly rowOf: (member: ReadMember, from: VersionedRow) => VersionedRow;
  /** Opens it for those who write. @returns what adds members; their ids, in the same order. */
  readonly open: (
    database: Database,
    events: EventsOptions,
  ) => Promise<(tx: Transaction, members: readonly ReadMember[]) => Promise<readonly string[]>>;
}

/** Members, with their number: `2 items`. */
export function inNumber(count: number, { name, singular }: Pick<Transferable, 'name' | 'singular'>): string {
  return `${String(count)} ${count === 1 ? singular : name}`;
}

/** Says of a collection that it can be exported and imported. */
export function transferable<Resource extends Identified, Input, Hidden>(
  definition: CollectionDefinition<Resource, Input, Hidden>,
  { dto = definition.dto, readOnly = () => ({}), ...rules }: ImportRules = {},
): Transferable {
  type Member = NewMember<Resource, Hidden>;
  const { name, singular, columns, parent, toJson } = definition;
  return {
    ...rules,
    name,
    singular,
    columns: columns.map((column) => column.name),
    parent,
    toJson,
    read: (value) => {
      const problems: ErrorDetail[] = [];
      const fields = judged(problems, () => validate(dto, withoutPast(value, parent))) ?? {};
      const past = judged(problems, () => readPast(value)) ?? {};
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

/** A collection for a command: its changes make events, and are recorded, as those of the service. */
export async function openCollection<Resource extends Identified, Input, Hidden>(
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

/** What several judgements find stands in one error. */
function judged<T>(problems: ErrorDetail[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    problems.push(...error.details);
    return undefined;
  }
}

/** What POST is not told: of a client it ignores, or refuses it. */
function withoutPast(value: unknown, parent: string | undefined): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { id: _id, created_at: _created, updated_at: _updated, ...rest } = value as Record<string, unknown>;
  if (parent !== undefined) Reflect.deleteProperty(rest, parent);
  return rest;
}

/** What the path of a nested collection says, a line says itself. */
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
