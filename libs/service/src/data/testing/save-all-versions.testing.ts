import type { Database } from '../database/database.js';

import { announceWalks } from '../lists/announce-walks.js';

const LONG_MS = 3_600_000;

/** Makes SQLite save a version of each replaced row, as after the start of a walk. PostgreSQL always does. */
export async function saveAllVersions(database: Database): Promise<void> {
  if (database.dialect === 'sqlite') await announceWalks(database, 'items', LONG_MS);
}
