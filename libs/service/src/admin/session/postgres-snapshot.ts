import type pg from 'pg';

import { inShortLocks } from '../../data/database/short-locks.js';
import { withPostgres } from './postgres-session.js';

/**
 * Reads one snapshot, taken between writes. During a write, it could contain an event that the feed lists only after an
 * earlier one, which it lacks. ADR 103
 */
export async function beginSnapshot(client: pg.Client, url: string): Promise<void> {
  const { rows } = await client.query<{ lanes: string | null; deliveries: string | null }>(
    "SELECT to_regclass('collection_lanes') AS lanes, to_regclass('deliveries') AS deliveries",
  );
  const [found] = rows;
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  // A dropped partition would be missing in the snapshot, whose totals count its rows. A lock takes no snapshot.
  if (typeof found?.deliveries === 'string') await client.query('LOCK TABLE ONLY deliveries IN ACCESS SHARE MODE');
  const take = (): Promise<unknown> => client.query('SELECT');
  if (typeof found?.lanes !== 'string') {
    await take();
    return;
  }
  await withPostgres(url, (writers) => inShortLocks(writers, ['LOCK TABLE collection_lanes IN SHARE MODE', take]));
}
