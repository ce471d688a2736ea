import { ConflictError } from '@items/conventions';
import type { Queryable, SqlValue } from '../database/database.js';
import { isUniqueViolation, violatedIndex } from '../database/error-codes.js';
import type { CollectionDefinition, Values } from '../definition/collection.js';
import type { UniqueKey } from '../definition/unique-keys.js';
import { sqlName } from '../schema/quoted.js';
import { NO_ROW } from '../schema/row-id.js';

type KeyedCollection = Pick<CollectionDefinition<never, never>, 'name' | 'singular' | 'parent' | 'unique'>;

export class NotUniqueError extends ConflictError {
  readonly collection: string;

  constructor({ name, singular }: Pick<KeyedCollection, 'name' | 'singular'>, fields: readonly string[]) {
    const named = fields.length === 0 ? 'the same value of a unique field' : `this ${listOf(fields)}`;
    const message = `Another ${singular} has ${named}.`;
    super('not_unique', message, {
      details: fields.toSorted().map((field) => ({ field, code: 'not_unique', message })),
    });
    this.collection = name;
  }
}

export function uniqueConflict(error: unknown, collection: KeyedCollection): unknown {
  const { name, parent, unique } = collection;
  if (unique === undefined || !isUniqueViolation(error)) return error;
  const { table, columns } = violatedIndex(error);
  if (table !== name || columns.join() === 'id') return error;
  const key = unique.find((known) => known.columns.join() === columns.join());
  // The key is unknown if a newer version of the service added it.
  return new NotUniqueError(collection, key?.fields ?? columns.filter((column) => column !== parent));
}

/** Finds, for each row, the first unique key that another member has. The error of a database may name a later key. */
export async function firstConflicts(
  database: Queryable,
  { name, unique = [] }: KeyedCollection,
  rows: readonly Values[],
): Promise<readonly (UniqueKey | undefined)[]> {
  if (unique.length === 0 || rows.length === 0) return rows.map(() => undefined);
  const params: SqlValue[] = [];
  const add = (value: SqlValue = null): string => `$${String(params.push(value))}`;
  const selects = rows.map((row, index) => {
    const cases = unique.map(({ columns }, key) => {
      const same = columns.map((column) => `${sqlName(column)} = ${add(row[column])}`);
      const where = [...same, `id <> ${add(row['id'] ?? NO_ROW)}`].join(' AND ');
      return `WHEN EXISTS (SELECT 1 FROM ${sqlName(name)} WHERE ${where}) THEN ${String(key)}`;
    });
    return `SELECT ${String(index)} AS line, CASE ${cases.join(' ')} END AS conflict`;
  });
  const found = await database.query<{ line: number; conflict: number | null }>(selects.join(' UNION ALL '), params);
  const keys = new Map(found.map(({ line, conflict }) => [line, unique[conflict ?? -1]]));
  return rows.map((_, line) => keys.get(line));
}

function listOf(fields: readonly string[]): string {
  const last = fields.at(-1) ?? '';
  return fields.length < 2 ? last : `${fields.slice(0, -1).join(', ')} and ${last}`;
}
