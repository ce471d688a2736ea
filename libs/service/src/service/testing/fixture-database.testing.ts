import { onBothDatabases, type DatabaseUnderTest as UnderTest } from '@items/testing';

import type { Database } from '../../data/database/database.js';
import type { DatabaseConfig } from '../../data/database/database-options.js';
import { openDatabase } from '../../data/opening/open-database.js';
import { schema } from './fixture.testing.js';

export type DatabaseUnderTest = UnderTest<Database>;

/** The specs on PostgreSQL are skipped if there is no server. */
export function describeOnBothDatabases(title: string, specs: (under: DatabaseUnderTest) => void): void {
  onBothDatabases(title, openFixtureDatabase, specs);
}

export function openFixtureDatabase(config: DatabaseConfig): Promise<Database> {
  return openDatabase(config, schema);
}
