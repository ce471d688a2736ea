import type { SqlValue, Transaction } from '../database/database.js';
import { groupOf } from '../lists/totals.js';

import type { CountedCollection } from './recount.js';

/** Rows that are gone: their number, and their values of the counted fields. */
export type RowGroup = Readonly<Record<string, SqlValue>> & { readonly n: SqlValue };

/** Adds to the clock, so that a page that was read before does not count as unchanged. */
const SUBTRACT_ALL = `UPDATE collection_lanes SET seq = greatest(seq + 1, $2), n = n - $3
  WHERE collection = $1 AND lane = 0`;
const SUBTRACT_GROUPS = `INSERT INTO collection_counts (collection, grp, lane, n)
  SELECT CAST($1 AS text), gone.grp, 0, -gone.n FROM json_to_recordset($2) AS gone (grp text, n bigint)
  ON CONFLICT (collection, grp, lane) DO UPDATE SET n = collection_counts.n + excluded.n`;

/** Corrects the totals of a collection of PostgreSQL for rows that a dropped partition has taken with it. */
export async function subtractRows(
  tx: Transaction,
  { name, countedFilters }: CountedCollection,
  gone: readonly RowGroup[],
): Promise<void> {
  const groups = new Map<string, number>();
  let all = 0;
  for (const { n, ...values } of gone) {
    all += Number(n);
    for (const fields of countedFilters) {
      const found = fields.map((field) => values[field] ?? null);
      if (found.includes(null)) continue;
      const group = groupOf(fields, found);
      groups.set(group, (groups.get(group) ?? 0) + Number(n));
    }
  }
  await tx.query(SUBTRACT_ALL, [name, Date.now() * 1000, all]);
  await tx.query(SUBTRACT_GROUPS, [name, JSON.stringify([...groups].map(([grp, n]) => ({ grp, n })))]);
}
