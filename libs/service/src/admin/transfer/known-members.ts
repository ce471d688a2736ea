import { ApiError, ConflictError, ResourceNotFoundError } from '@items/conventions';
import type { Dialect } from '../../data/schema/dialect.js';
import type { Queryable } from '../../data/database/database.js';
import { firstConflicts, NotUniqueError } from '../../data/collections/unique-conflicts.js';
import type { Values } from '../../data/definition/collection.js';
import type { UniqueKey } from '../../data/definition/unique-keys.js';
import type { VersionedRow } from '../../data/database/versioned-row.js';

import { unknownReference, unknownReferences } from '../../data/writes/reference-checks.js';
import type { JudgedLine } from './read-members.js';
import { rowsById, rowsByText } from './stored-values.js';
import type { FindMembers, ReadMember, Transferable } from './transferable.js';

export interface PlacedLine extends JudgedLine {
  readonly isThere: boolean;
}

/** Whether a line before the line of the member has this id. */
export type IsEarlier = (id: string, member: ReadMember) => boolean;

interface Known {
  readonly rows: ReadonlyMap<string, VersionedRow>;
  readonly taken: ReadonlyMap<string, ReadonlySet<string>>;
  readonly parents: ReadonlySet<string> | undefined;
}

export async function placeLines(
  database: Queryable,
  dialect: Dialect,
  collection: Transferable,
  lines: readonly JudgedLine[],
  isEarlier: IsEarlier = () => false,
): Promise<readonly PlacedLine[]> {
  const whole = await completed(database, dialect, collection, lines);
  const members = whole.flatMap(({ member }) => (member instanceof ApiError ? [] : [member]));
  const known = await knownOf(database, dialect, collection, members);
  const problems = new Map([
    ...(await conflictsOf(database, collection, members)),
    ...(await unknownTargetsOf(database, dialect, collection, members, isEarlier)),
  ]);
  return whole.map((line) => {
    if (line.member instanceof ApiError) return { ...line, isThere: false };
    const former = known.rows.get(line.member.past.id ?? '');
    const isThere = former !== undefined && isSame(collection, line.member, former);
    const problem = refusal(collection, line.member, known) ?? problems.get(line.member);
    return { ...line, isThere, member: isThere ? line.member : (problem ?? line.member) };
  });
}

async function conflictsOf(
  database: Queryable,
  collection: Transferable,
  members: readonly ReadMember[],
): Promise<ReadonlyMap<ReadMember, ApiError>> {
  const { name, singular, parent, keys: unique } = collection;
  const rows = members.map((member) => rowOf(collection, member));
  const found = await firstConflicts(database, { name, singular, parent, unique }, rows);
  return new Map(
    members.flatMap((member, index) => {
      const key = found[index];
      return key === undefined ? [] : [[member, new NotUniqueError(collection, key.fields)] as const];
    }),
  );
}

/** A member must not refer to one that is neither stored nor in an earlier line. */
async function unknownTargetsOf(
  database: Queryable,
  dialect: Dialect,
  collection: Transferable,
  members: readonly ReadMember[],
  isEarlier: IsEarlier,
): Promise<readonly (readonly [ReadMember, ApiError])[]> {
  const problems = new Map<ReadMember, ApiError>();
  const rows = members.map((member) => rowOf(collection, member));
  for (const reference of collection.references) {
    const found = await unknownReferences(database, dialect, [reference], rows);
    for (const [index, member] of members.entries()) {
      if (found[index] === undefined || problems.has(member)) continue;
      const isOwn = reference.target().name === collection.name;
      if (isOwn && isEarlier(String(rows[index]?.[reference.column]), member)) continue;
      problems.set(member, unknownReference(reference));
    }
  }
  return [...problems];
}

/** @returns undefined if one of the values is null. */
export function keyText(collection: Transferable, { columns }: UniqueKey, member: ReadMember): string | undefined {
  const row = rowOf(collection, member);
  const values = columns.map((column) => row[column] ?? null);
  return values.includes(null) ? undefined : JSON.stringify(values);
}

function rowOf(collection: Transferable, member: ReadMember): Values {
  return collection.rowOf(member, {} as VersionedRow);
}

async function knownOf(
  database: Queryable,
  dialect: Dialect,
  { name, columns, unique = [], parent, parents }: Transferable,
  members: readonly ReadMember[],
): Promise<Known> {
  const valuesOf = (column: string): string[] => members.flatMap((member) => valueOf(member, column) ?? []);
  const rows = await rowsById<VersionedRow>(database, dialect, name, columns, valuesOf('id'));
  const taken = new Map<string, ReadonlySet<string>>();
  for (const field of unique) {
    const found = await rowsByText<Record<string, string>>(database, dialect, name, field, valuesOf(field));
    taken.set(field, new Set(found.map((row) => row[field] ?? '')));
  }
  const byId = new Map(rows.map((row) => [row.id, row]));
  if (parent === undefined || parents === undefined) return { rows: byId, taken, parents: undefined };
  const found = await rowsById<{ id: string }>(database, dialect, parents.name, ['id'], valuesOf(parent));
  return { rows: byId, taken, parents: new Set(found.map(({ id }) => id)) };
}

function isSame(collection: Transferable, member: ReadMember, former: VersionedRow): boolean {
  return collection.toJson(former) === collection.toJson(collection.rowOf(member, former));
}

function refusal(collection: Transferable, member: ReadMember, known: Known): ApiError | undefined {
  const { unique = [], parent, parents } = collection;
  const { id } = member.past;
  if (id !== undefined && known.rows.has(id)) {
    return new ConflictError('id_taken', `There is another member with the id ${id}.`);
  }
  const double = unique.find((field) => known.taken.get(field)?.has(valueOf(member, field) ?? ''));
  if (double !== undefined) return new ConflictError(`${double}_taken`, `There is another member with this ${double}.`);
  if (known.parents?.has(valueOf(member, parent ?? '') ?? '') !== false) return undefined;
  return new ResourceNotFoundError(parents?.singular ?? '');
}

async function completed(
  database: Queryable,
  dialect: Dialect,
  { completion }: Transferable,
  lines: readonly JudgedLine[],
): Promise<readonly JudgedLine[]> {
  if (completion === undefined) return lines;
  const find: FindMembers = async ({ name, columns, present }, ids) => {
    const names = columns.map((column) => column.name);
    const rows = await rowsById<VersionedRow>(database, dialect, name, names, ids);
    return new Map(rows.map((row) => [row.id, present(row)]));
  };
  const members = lines.flatMap(({ member }) => (member instanceof ApiError ? [] : [member]));
  const complete = await completion(
    find,
    members.map(({ fields }) => fields as never),
  );
  return lines.map((line) => {
    if (line.member instanceof ApiError) return line;
    try {
      const { fields, past } = line.member;
      return { ...line, member: { fields: { ...fields, ...complete(fields as never) }, past } };
    } catch (error) {
      if (error instanceof ApiError) return { ...line, member: error };
      throw error;
    }
  });
}

export function valueOf({ past, fields }: ReadMember, column: string): string | undefined {
  const value = column === 'id' ? past.id : fields[column];
  return typeof value === 'string' ? value : undefined;
}
