import { BATCH, inBatches } from '../data/background/in-batches.js';
import type { Database } from '../data/database/database.js';

import { lastIdAt } from './event-id.js';
import { keyColumn, keyOf } from './event-key.js';

const ROUNDS = 60;
const SHORTEST_PERIOD_MS = 1000;
const LONGEST_PERIOD_MS = 600_000;
/**
 * Minimum time from the expiry of a row to its deletion. The two statements of a page together take less time, so both
 * see the same rows.
 */
const MARGIN_MS = 15_000;

export function purgePeriodMs(keptMs: number): number {
  return Math.min(Math.max(keptMs / ROUNDS, SHORTEST_PERIOD_MS), LONGEST_PERIOD_MS);
}

export function oldestAt(keptMs: number, nowMs: number): string {
  return lastIdAt(nowMs - keptMs - MARGIN_MS);
}

export function deleteOldRows(
  database: Database,
  { part, feed }: { readonly part: string; readonly feed: string },
  oldest: string,
  stop?: AbortSignal,
): Promise<number> {
  const { dialect } = database;
  const key = keyColumn(dialect);
  const skipLocked = dialect === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : '';
  const sql = `DELETE FROM ${part} WHERE ${key} IN (SELECT ${key} FROM ${part}
    WHERE ${key} < (SELECT ${key} FROM ${feed} WHERE ${key} <= $1 ORDER BY ${key} DESC LIMIT 1)
    ORDER BY ${key} LIMIT ${String(BATCH)} ${skipLocked}) RETURNING 1 AS gone`;
  const deleteSome = (): Promise<unknown[]> => database.transaction((tx) => tx.query(sql, [keyOf(dialect, oldest)]));
  return inBatches(async () => (await deleteSome()).length, stop);
}
