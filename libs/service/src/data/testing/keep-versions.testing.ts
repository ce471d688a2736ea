import type { Database } from '../database/database.js';

import { announceWalks } from '../lists/announce-walks.js';

const LONG_MS = 3_600_000;

/** Every replaced row now leaves a version on SQLite, as while walks begin. On PostgreSQL it always does. */
export async function keepVersions(database: Database): Promise<void> {
  if (database.dialect === 'sqlite') await announceWalks(database, 'items', LONG_MS);
}
