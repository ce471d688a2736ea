import { createDatabase, postgresUnderTest } from '@items/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { DatabaseConfig } from '../config/config.js';
import type { Database } from './database.js';
import { openDatabase } from './open-database.js';

/** A database of a test file's own. */
export interface DatabaseUnderTest {
  /** Migrated and empty; opened before the first test. */
  readonly database: Database;
  /** How to open it once more. */
  readonly config: DatabaseConfig;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Runs the same specs on SQLite and on PostgreSQL; the latter are skipped where there is no server. */
export function describeOnBothDatabases(title: string, specs: (under: DatabaseUnderTest) => void): void {
  describe(`${title} (SQLite)`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'items-'));
    runSpecs(() => Promise.resolve({ dialect: 'sqlite', file: join(folder, 'items.sqlite') }), specs);
    afterAll(() => {
      rmSync(folder, { recursive: true });
    });
  });
  const server = postgresUnderTest();
  const describeIfServed = server === undefined ? describe.skip : describe;
  describeIfServed(`${title} (PostgreSQL)`, () => {
    let drop: () => Promise<void>;
    runSpecs(async () => {
      const created = await createDatabase(server ?? '');
      drop = () => created.drop();
      return { dialect: 'postgres', url: created.url };
    }, specs);
    afterAll(() => drop());
  });
}

function runSpecs(provide: () => Promise<DatabaseConfig>, specs: (under: DatabaseUnderTest) => void): void {
  const under = {} as Mutable<DatabaseUnderTest>;
  beforeAll(async () => {
    under.config = await provide();
    under.database = await openDatabase(under.config);
  });
  specs(under);
  afterAll(() => under.database.close());
}
