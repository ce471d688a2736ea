import type { Database } from '@items/service/store';
import { onBothDatabases, type DatabaseUnderTest as UnderTest } from '@items/testing';

import { openServiceDatabase } from '../open-service-database.testing.js';

/** A database of a test file's own, migrated and empty. */
export type DatabaseUnderTest = UnderTest<Database>;

/** Runs the same specs on SQLite and on PostgreSQL; the latter are skipped where there is no server. */
export function describeOnBothDatabases(title: string, specs: (under: DatabaseUnderTest) => void): void {
  onBothDatabases(title, openServiceDatabase, specs);
}
