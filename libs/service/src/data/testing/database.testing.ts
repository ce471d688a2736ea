import { openDatabase } from '../opening/open-database.js';
import type { Database } from '../database/database.js';
import type { DatabaseConfig } from '../database/database-options.js';
import { onBothDatabases, type DatabaseUnderTest as UnderTest } from '@items/testing';

import { CreateItems1700000000001 } from './item-collection.testing.js';

/** A database of one test file, with an empty collection of items. */
export type DatabaseUnderTest = UnderTest<Database>;

/** Runs the specs on SQLite and PostgreSQL. Without a server, the latter are skipped. */
export function describeOnBothDatabases(title: string, specs: (under: DatabaseUnderTest) => void): void {
  onBothDatabases(title, openItems, specs);
}

export function openItems(config: DatabaseConfig): Promise<Database> {
  return openDatabase(config, { migrations: [CreateItems1700000000001] });
}
