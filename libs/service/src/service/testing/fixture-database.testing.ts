import { onBothDatabases, type DatabaseUnderTest as UnderTest } from '@items/testing';

import type { Database } from '../../data/database/database.js';
import type { DatabaseConfig } from '../../data/database/database-options.js';
import { openDatabase } from '../../data/opening/open-database.js';
import { schema } from './fixture.testing.js';

/** A database of a test file's own, migrated and empty. */
export type DatabaseUnderTest = UnderTest<Database>;

/** Runs the same specs on SQLite and on PostgreSQL; the latter are skipped where there is no server. */
export function describeOnBothDatabases(title: string, specs: (under: DatabaseUnderTest) => void): void {
  onBothDatabases(title, openFixtureDatabase, specs);
}

/** Opens a database with the tables of the fixture. */
export function openFixtureDatabase(config: DatabaseConfig): Promise<Database> {
  return openDatabase(config, schema);
}
