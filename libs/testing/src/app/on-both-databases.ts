import type * as globals from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createDatabase } from '../postgres/create-database.js';
import { postgresUnderTest } from '../servers/servers-under-test.js';

// Only types, because Jest is not installed where the service merely runs.
declare const describe: typeof globals.describe;
declare const beforeAll: typeof globals.beforeAll;
declare const afterAll: typeof globals.afterAll;

export type TestDatabaseConfig =
  { readonly dialect: 'sqlite'; readonly file: string } | { readonly dialect: 'postgres'; readonly url: string };

/** The database of a test file. */
export interface DatabaseUnderTest<Database> {
  /** Contains only what `open` creates; opened before the first test. */
  readonly database: Database;
  /** Configuration for a second connection. */
  readonly config: TestDatabaseConfig;
}

interface Closable {
  close(): Promise<void>;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Runs the same specs on SQLite and on PostgreSQL; the latter are skipped if there is no server. */
export function onBothDatabases<Database extends Closable>(
  title: string,
  open: (config: TestDatabaseConfig) => Promise<Database>,
  specs: (under: DatabaseUnderTest<Database>) => void,
): void {
  describe(`${title} (SQLite)`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'items-'));
    runSpecs(() => Promise.resolve({ dialect: 'sqlite', file: join(folder, 'items.sqlite') }), open, specs);
    afterAll(() => {
      rmSync(folder, { recursive: true });
    });
  });
  const server = postgresUnderTest();
  const describeIfServed = server === undefined ? describe.skip : describe;
  describeIfServed(`${title} (PostgreSQL)`, () => {
    let drop: () => Promise<void>;
    const provide = async (): Promise<TestDatabaseConfig> => {
      const created = await createDatabase(server ?? '');
      drop = () => created.drop();
      return { dialect: 'postgres', url: created.url };
    };
    runSpecs(provide, open, specs);
    afterAll(() => drop());
  });
}

function runSpecs<Database extends Closable>(
  provide: () => Promise<TestDatabaseConfig>,
  open: (config: TestDatabaseConfig) => Promise<Database>,
  specs: (under: DatabaseUnderTest<Database>) => void,
): void {
  const under = {} as Mutable<DatabaseUnderTest<Database>>;
  beforeAll(async () => {
    under.config = await provide();
    under.database = await open(under.config);
  });
  specs(under);
  afterAll(() => under.database.close());
}
