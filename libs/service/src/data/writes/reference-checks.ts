import { ConflictError, ResourceNotFoundError, ValidationError } from '@items/conventions';
import type { Queryable } from '../database/database.js';
import type { RuleCaller } from '../database/origin.js';
import type { Values } from '../definition/collection.js';
import type { Referrer, StoredReference } from '../definition/references.js';
import type { Dialect } from '../schema/dialect.js';
import { sqlName } from '../schema/quoted.js';
import { isRowId } from '../schema/row-id.js';

/** Reads any number of ids from one JSON parameter. */
const LISTED = {
  sqlite: 'SELECT value FROM json_each($1)',
  postgres: 'SELECT value::uuid FROM json_array_elements_text(CAST($1 AS json))',
};
/**
 * Waits for a concurrent deletion of the targets, and blocks later deletions. SQLite needs no lock, because it has one
 * writer.
 */
const LOCK = { sqlite: '', postgres: ' FOR KEY SHARE' };

function idsIn(rows: readonly Values[], { column }: StoredReference): string[] {
  return [...new Set(rows.map((row) => row[column]))].filter((id) => typeof id === 'string' && isRowId(id)) as string[];
}

/**
 * Finds the first reference of each row to a member that does not exist or that the caller may not read. Locks the
 * targets.
 * @param caller If undefined, any existing member is accepted.
 */
export async function unknownReferences(
  queryable: Queryable,
  dialect: Dialect,
  references: readonly StoredReference[],
  rows: readonly Values[],
  caller?: RuleCaller,
): Promise<readonly (StoredReference | undefined)[]> {
  const known = new Map<StoredReference, ReadonlySet<unknown>>();
  for (const reference of references) {
    const ids = idsIn(rows, reference);
    known.set(reference, ids.length === 0 ? new Set() : await readable(queryable, dialect, reference, ids, caller));
  }
  return rows.map((row) =>
    references.find((reference) => {
      const id = row[reference.column] ?? null;
      return id !== null && known.get(reference)?.has(id) !== true;
    }),
  );
}

async function readable(
  queryable: Queryable,
  dialect: Dialect,
  { target, isParent }: StoredReference,
  ids: readonly string[],
  caller: RuleCaller | undefined,
): Promise<ReadonlySet<unknown>> {
  const { name, parent } = target();
  // The route has checked the access to a parent.
  const reader = isParent ? undefined : caller;
  if (reader !== undefined && !reader.scopes.has(`${name.replaceAll('_', '-')}:read`)) return new Set();
  const owner = parent === 'user_id' ? ', user_id' : '';
  const found = await queryable.query<{ id: string; user_id?: string }>(
    `SELECT id${owner} FROM ${sqlName(name)} WHERE id IN (${LISTED[dialect]})${LOCK[dialect]}`,
    [JSON.stringify(ids)],
  );
  const isOpen = reader === undefined || reader.isAdmin || owner === '';
  return new Set(found.filter((row) => isOpen || row.user_id === reader.userId).map(({ id }) => id));
}

export function unknownReferenceError({
  column,
  target,
  isParent,
}: StoredReference): ValidationError | ResourceNotFoundError {
  const { singular } = target();
  if (isParent) return new ResourceNotFoundError(singular);
  const message = `"${column}" is the id of no ${singular}.`;
  return new ValidationError([{ field: column, code: 'unknown_reference', message }]);
}

/** Finds the first column that refers to a member of `table`. A reference of the member to itself does not count. */
export async function firstReferrer(
  queryable: Queryable,
  table: string,
  id: string,
  referrers: readonly Referrer[],
): Promise<Referrer | undefined> {
  const params: string[] = [];
  const cases = referrers.map((referrer, index) => {
    const isOther = referrer.table === table ? ` AND id <> $${String(params.push(id))}` : '';
    const where = `${sqlName(referrer.column)} = $${String(params.push(id))}${isOther}`;
    return `WHEN EXISTS (SELECT 1 FROM ${sqlName(referrer.table)} WHERE ${where}) THEN ${String(index)}`;
  });
  const [found] = await queryable.query<{ first: number | null }>(
    `SELECT CASE ${cases.join(' ')} END AS first`,
    params,
  );
  return referrers[found?.first ?? -1];
}

export function referencedError(singular: string, { table, isParent }: Referrer): ConflictError {
  return isParent
    ? new ConflictError(
        'has_children',
        `This ${singular} has members of the collection "${table}". Delete those first.`,
      )
    : new ConflictError(
        'has_references',
        `Members of the collection "${table}" refer to this ${singular}. Change or delete those first.`,
      );
}
