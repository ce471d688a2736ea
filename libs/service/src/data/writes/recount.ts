import { randomUUID } from 'node:crypto';
import type { Database, Queryable, SqlValue, Transaction } from '../database/database.js';
import type { CollectionDefinition } from '../definition/collection.js';
import { KNOWN_STAMP, sqlOf } from '../definition/stamp-terms.js';
import type { Dialect } from '../schema/dialect.js';
import { adjustingAll, adjustingOne, groupOf, groupOfRow, groupsPrefix } from '../lists/totals.js';
import { sqlName } from '../schema/quoted.js';

export type CountedCollection = Pick<CollectionDefinition<never, never>, 'name' | 'countedFilters'>;

export interface WrongTotal {
  /** Fields of a counted filter. Empty, like `values`, for the total of all rows. */
  readonly fields: readonly string[];
  readonly values: readonly unknown[];
  readonly counted: number;
  readonly rows: number;
}

/** Each correction replaces this random value, to notice a concurrent correction. */
const MARK = "SELECT value FROM settings WHERE name = 'recount'";
const SET_MARK = `INSERT INTO settings (name, value) VALUES ('recount', $1)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE settings.value = $2 RETURNING value`;
const JSON_ARRAY = { sqlite: 'json_array', postgres: 'json_build_array' };
/** Also locks lane 0, so that no writer adjusts other counters of this lane meanwhile. */
const ADJUST_ALL = 'UPDATE collection_lanes SET n = n + $2 WHERE collection = $1 AND lane = 0';
const FIRST_LANE = { ...KNOWN_STAMP, lane: '0' };

/**
 * Corrects the totals of a collection in use. Each statement reads rows and counters at one moment, and later writes
 * change both alike.
 * @param reader Its timeout must allow for a scan of the table.
 */
export async function recount(
  reader: Queryable,
  database: Database,
  collection: CountedCollection,
): Promise<readonly WrongTotal[]> {
  for (;;) {
    const [mark] = await reader.query<{ value: string }>(MARK);
    const wrong = await findWrong(reader, database.dialect, collection);
    if (wrong.length === 0) return wrong;
    const isDone = await database.transaction((tx) => correct(tx, collection.name, wrong, mark?.value ?? ''));
    if (isDone) return wrong;
  }
}

async function findWrong(
  reader: Queryable,
  dialect: Dialect,
  { name, countedFilters }: CountedCollection,
): Promise<WrongTotal[]> {
  const [all] = await reader.query<{ rows: unknown; counted: unknown }>(
    `SELECT (SELECT count(*) FROM ${sqlName(name)}) AS rows,
      (SELECT coalesce(sum(n), 0) FROM collection_lanes WHERE collection = $1) AS counted`,
    [name],
  );
  let wrong = different([], [], Number(all?.counted), Number(all?.rows));
  // `push(...)` fails for about 100 000 totals.
  for (const fields of countedFilters)
    wrong = wrong.concat(await findWrongGroups(reader, JSON_ARRAY[dialect], name, fields));
  return wrong;
}

async function findWrongGroups(
  reader: Queryable,
  jsonArray: string,
  name: string,
  fields: readonly string[],
): Promise<WrongTotal[]> {
  const columns = fields.map(sqlName).join(', ');
  const prefix = groupsPrefix(fields);
  const found = await reader.query<{ kind: string; grp: string; n: unknown }>(
    `SELECT 'rows' AS kind, CAST(${jsonArray}(${columns}) AS text) AS grp, count(*) AS n FROM ${sqlName(name)}
      WHERE ${fields.map((field) => `${sqlName(field)} IS NOT NULL`).join(' AND ')} GROUP BY ${columns}
    UNION ALL SELECT 'counted', grp, sum(n) FROM collection_counts
      WHERE collection = $1 AND substr(grp, 1, $2) = $3 GROUP BY grp`,
    [name, prefix.length, prefix],
  );
  const groups = new Map<string, { values: readonly unknown[]; counted: number; rows: number }>();
  for (const { kind, grp, n } of found) {
    const values = (kind === 'rows' ? JSON.parse(grp) : (JSON.parse(grp) as unknown[])[1]) as readonly unknown[];
    const key = groupOf(fields, values);
    const group = groups.get(key) ?? { values, counted: 0, rows: 0 };
    groups.set(key, group);
    group[kind === 'rows' ? 'rows' : 'counted'] = Number(n);
  }
  return [...groups.values()].flatMap(({ values, counted, rows }) => different(fields, values, counted, rows));
}

function different(fields: readonly string[], values: readonly unknown[], counted: number, rows: number): WrongTotal[] {
  return counted === rows ? [] : [{ fields, values, counted, rows }];
}

async function correct(tx: Transaction, name: string, wrong: readonly WrongTotal[], mark: string): Promise<boolean> {
  const marked = await tx.query(SET_MARK, [randomUUID(), mark]);
  if (marked.length === 0) return false;
  const all = wrong.find(({ fields }) => fields.length === 0);
  await tx.query(ADJUST_ALL, [name, all === undefined ? 0 : all.rows - all.counted]);
  for (const { fields, values, counted, rows } of wrong) {
    if (fields.length === 0) continue;
    const count = adjustingOne(name, { group: groupOf(fields, values), by: rows - counted });
    await tx.query(sqlOf(count, 1, FIRST_LANE), count.values);
  }
  return true;
}

/** Values of the counted fields in a group of deleted rows, and the number `n` of these rows. */
export type RowGroup = Readonly<Record<string, SqlValue>> & { readonly n: SqlValue };

/** Advances the clock, so that walks notice the change. */
const SUBTRACT_ALL = `UPDATE collection_lanes SET seq = greatest(seq + 1, $2), n = n - $3
  WHERE collection = $1 AND lane = 0`;

/** Subtracts the rows of a dropped partition from the totals of a collection. PostgreSQL only. */
export async function subtractRows(
  tx: Transaction,
  { name, countedFilters }: CountedCollection,
  gone: readonly RowGroup[],
): Promise<void> {
  const all = gone.reduce((sum, { n }) => sum + Number(n), 0);
  const adjustments = gone.flatMap((rows) =>
    countedFilters.flatMap((fields) => {
      const group = groupOfRow(fields, rows);
      return group === undefined ? [] : [{ group, by: -Number(rows.n) }];
    }),
  );
  const counts = adjustingAll(name, adjustments);
  await tx.query(SUBTRACT_ALL, [name, Date.now() * 1000, all]);
  await tx.query(sqlOf(counts, 1, FIRST_LANE), counts.values);
}
