import { execFile } from 'node:child_process';
import { DatabaseSync, StatementSync } from 'node:sqlite';

import { Filterable, Integer, Optional, Sortable, Text } from '@items/fields';
import {
  type DatabaseName,
  databaseRows,
  isLongForm,
  postgresUnderTest,
  provideDatabase,
  type TestDatabase,
} from '@items/testing';
import pg from 'pg';

import type { DatabaseConfig, DatabaseSchema } from '../data/database/database-options.js';
import { databaseAt } from '../data/testing/database-url.testing.js';
import { migrateDatabase } from '../data/opening/open-database.js';
import { pendingMigrations } from '../data/opening/pending-migrations.js';
import { NO_LOG } from '../data/outages/store-log.js';
import { collection, type Migration } from '../index.js';
import { composed } from './collections/composed.js';
import { schemaOf } from './schema.js';
import { startForTest } from './started-services.testing.js';

class Book {
  @Sortable() @Text({ min: 1, max: 200 }) title!: string;
  @Filterable() @Optional() @Text({ max: 20 }) language!: string | null;
  @Integer({ min: 0, max: 5 }) stars!: number;
}
const books = collection({ name: 'books', singular: 'book', input: Book });
const notes = collection({ name: 'notes', singular: 'note', input: Book, parent: 'users' });
/** Migrations from the tables of former programs to the present form. */
const migrations: readonly Migration[] = [
  forBoth({ name: 'books_add_stars', collection: 'books' }, 'ALTER TABLE books ADD COLUMN stars bigint'),
  forBoth(
    { name: 'languages' },
    'CREATE TABLE languages (books text)',
    'alter table\n  "notes" add column language text',
    "INSERT INTO languages VALUES ('en')",
  ),
];
/** Returns the schema as a new process has it. */
const schema = (): DatabaseSchema => schemaOf(composed({ collections: [books, notes], migrations }));

/** Number of changes between two stops. A transaction leaves nothing, wherever it is stopped. */
const STEP = isLongForm ? 9 : 45;
const STOPPED = 'The process has been stopped.';
/** Statements that change nothing. A stop before one of them has the same result as a stop before the next change. */
const READS = /^\s*(?:SELECT|PRAGMA|SHOW|BEGIN|SET|ROLLBACK)/i;

function forBoth(migration: Omit<Migration, 'sqlite' | 'postgres'>, ...statements: string[]): Migration {
  return { ...migration, sqlite: statements, postgres: statements };
}

/** Calls a function before each statement of this process. */
function beforeStatements(before: (sql: string) => void): void {
  const { exec } = DatabaseSync.prototype;
  jest.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
    before(sql);
    exec.call(this, sql);
  });
  for (const method of ['all', 'get', 'run'] as const) {
    const original = StatementSync.prototype[method] as (...params: unknown[]) => never;
    jest.spyOn(StatementSync.prototype, method).mockImplementation(function (this: StatementSync, ...params) {
      before(this.sourceSQL);
      return original.apply(this, params);
    });
  }
  const query: (...params: unknown[]) => unknown = pg.Client.prototype.query;
  jest.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...params: unknown[]) {
    const [statement] = params as [string | { readonly text?: string }];
    before(typeof statement === 'string' ? statement : (statement.text ?? ''));
    return query.apply(this, params);
  });
}

/**
 * Migrates a database, and fails before one of the changes.
 * @returns whether all migrations have run.
 */
async function migrated(config: DatabaseConfig, changes: number): Promise<boolean> {
  let left = changes;
  let isOver = false;
  beforeStatements((sql) => {
    isOver ||= !READS.test(sql) && left-- === 0;
    // Allow the rollback, because the end of a process rolls back, too.
    if (isOver && sql !== 'ROLLBACK') throw new Error(STOPPED);
  });
  jest.spyOn(console, 'log').mockReturnValue();
  try {
    await migrateDatabase(config, schema(), NO_LOG);
    return true;
  } catch (error) {
    if ((error as Error).message.includes(STOPPED)) return false;
    throw error;
  } finally {
    jest.restoreAllMocks();
  }
}

/**
 * Starts a service in a process that kills itself before one of its changes.
 * @returns whether it has started.
 */
function isStarted(url: string, changes: number): Promise<boolean> {
  const program = `
    const { Text } = require('@items/fields');
    const { StatementSync } = require('node:sqlite');
    const { Client } = require('pg');
    let left = ${String(changes)};
    const reads = ${String(READS)};
    const before = (sql) => !reads.test(sql) && left-- === 0 && process.kill(process.pid, 'SIGKILL');
    const { query } = Client.prototype;
    Client.prototype.query = function (...params) {
      before(params[0].text ?? (typeof params[0] === 'string' ? params[0] : ''));
      return query.apply(this, params);
    };
    for (const method of ['all', 'get', 'run']) {
      const original = StatementSync.prototype[method];
      StatementSync.prototype[method] = function (...params) {
        before(this.sourceSQL);
        return original.apply(this, params);
      };
    }
    import('@items/service').then(async ({ collection, startService }) => {
      class Book {}
      Text({ max: 9 })(Book.prototype, 'title');
      const settings = { DATABASE_URL: '${url}', PORT: '0', LOG_LEVEL: 'fatal', STOP_DELAY: '0', WARM_UP_MS: '0' };
      const magazines = collection({ name: 'magazines', singular: 'magazine', input: Book, events: true });
      await startService({ collections: [magazines], settings });
      process.exit(0);
    });`;
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['-e', program], { cwd: __dirname }, (error, _, stderr) => {
      if (error === null || error.signal === 'SIGKILL') resolve(error === null);
      else reject(new Error(stderr));
    });
  });
}

const databases: readonly DatabaseName[] = postgresUnderTest() === undefined ? ['sqlite'] : ['sqlite', 'postgres'];

describe.each(databases)('A first start on %s that is interrupted', (name) => {
  let provided: TestDatabase;

  beforeEach(async () => {
    provided = await provideDatabase(name);
  });
  afterEach(() => provided.drop());

  it('continues at the next start after an interruption between any two changes of its migrations', async () => {
    const config = databaseAt(provided.url);
    let stops = 0;
    let pending = 0;
    for (let changes = 0; !(await migrated(config, changes)); changes += STEP) {
      stops += 1;
      const { length } = await pendingMigrations(config, schema());
      if (length !== pending) changes = -STEP;
      pending = length;
    }
    expect(stops).toBeGreaterThan(190 / STEP);
    const settings = { DATABASE_URL: provided.url, LOG_LEVEL: 'fatal' };
    const { admin, stop } = await startForTest({ collections: [books, notes], migrations, settings });
    const made = await admin.post('/books', { title: 'Emma', stars: 3, language: 'en' });
    expect(made.status).toBe(201);
    await stop();
    expect((await databaseRows(provided.url)).filter((row) => row.startsWith('languages '))).toHaveLength(1);
  }, 300_000);

  it('continues at the next start after a kill', async () => {
    let changes = 0;
    while (!(await isStarted(provided.url, changes))) changes += isLongForm ? 100 : 500;
    expect(changes).toBeGreaterThan(100);
  }, 300_000);
});
