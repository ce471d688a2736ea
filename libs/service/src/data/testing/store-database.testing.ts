import { onBothDatabases, type DatabaseUnderTest as UnderTest } from '@items/testing';

import type { Database } from '../database/database.js';
import { openDatabase } from '../opening/open-database.js';

/** A database with the tables of the store and no others. */
export const EMPTY_SCHEMA = { migrations: [] };

/** Runs the same specs on SQLite and on PostgreSQL; the latter are skipped where there is no server. */
export function describeOnBothDatabases(title: string, specs: (under: UnderTest<Database>) => void): void {
  onBothDatabases(title, (config) => openDatabase(config, EMPTY_SCHEMA), specs);
}
