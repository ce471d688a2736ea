import { onBothDatabases, type DatabaseUnderTest as UnderTest } from '@items/testing';

import type { Database } from '../database/database.js';
import { openDatabase } from '../opening/open-database.js';

export const EMPTY_SCHEMA = { migrations: [] };

/** Runs the specs on SQLite and PostgreSQL. Without a server, the latter are skipped. */
export function describeOnBothDatabases(title: string, specs: (under: UnderTest<Database>) => void): void {
  onBothDatabases(title, (config) => openDatabase(config, EMPTY_SCHEMA), specs);
}
