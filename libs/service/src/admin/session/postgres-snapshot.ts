import type pg from 'pg';

import { inShortLocks } from '../../data/database/short-locks.js';
import { withPostgres } from './postgres-session.js';

/**
 * Reads one snapshot, taken between writes. During a write, it could contain an event that the feed lists only after an
 * earlier one, which it lacks. ADR 103
 */
export async function beginSnapshot(client: pg.Client, url: string): Promise<void> {
  const begin = async (): Promise<void> => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query('SELECT');
  };
  const { rows } = await client.query<{ lanes: string | null }>("SELECT to_regclass('collection_lanes') AS lanes");
  const isService = typeof rows[0]?.lanes === 'string';
  if (!isService) return begin();
  await withPostgres(url, (writers) => inShortLocks(writers, ['LOCK TABLE collection_lanes IN SHARE MODE', begin]));
}
