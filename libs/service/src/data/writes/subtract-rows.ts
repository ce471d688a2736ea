import type { SqlValue, Transaction } from '../database/database.js';
import { KNOWN_STAMP, textOf } from '../definition/stamp-terms.js';
import { adjustingAll, groupOfRow } from '../lists/totals.js';
import type { CountedCollection } from './recount.js';

/** Rows that are gone: their number, and their values of the counted fields. */
export type RowGroup = Readonly<Record<string, SqlValue>> & { readonly n: SqlValue };

/** Adds to the clock, so that a page that was read before does not count as unchanged. */
const SUBTRACT_ALL = `UPDATE collection_lanes SET seq = greatest(seq + 1, $2), n = n - $3
  WHERE collection = $1 AND lane = 0`;
const FIRST_LANE = { ...KNOWN_STAMP, lane: '0' };

/** Corrects the totals of a collection of PostgreSQL for rows that a dropped partition has taken with it. */
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
  await tx.query(textOf(counts, 1, FIRST_LANE), counts.values);
}
