import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { askPostgres, provideDatabase, type TestDatabase } from '@items/testing';

import type { Database } from '../../data/database/database.js';
import { APPLICATION_NAME } from '../../data/database/database-options.js';
import { databaseAt } from '../../data/testing/database-url.testing.js';
import { openDatabase } from '../../data/opening/open-database.js';
import { operations } from '../operations.js';
import { runOperation } from '../run-program.js';
import { addNotes, describeService, operationContext, SCHEMA } from '../service.testing.js';
import { checkBackup } from './backup.js';

describeService('Tables of the team', (under) => {
  const isPostgres = (): boolean => under.config.dialect === 'postgres';
  let folder: string;
  let file: string;
  let source: TestDatabase;
  let target: TestDatabase;

  /** Runs an operation. @returns its warnings. */
  const run = async (url: string, ...args: string[]): Promise<string[]> => {
    const warnings: string[] = [];
    const warn = (line: string): void => void warnings.push(line);
    await runOperation(operations, args, () => operationContext(databaseAt(url), SCHEMA, { warn }));
    return warnings;
  };
  const work = async <T>(url: string, use: (database: Database) => Promise<T>): Promise<T> => {
    const database = await openDatabase(databaseAt(url), SCHEMA);
    try {
      return await use(database);
    } finally {
      await database.close();
      if (isPostgres()) await connectionsAreGone(url);
    }
  };
  const execute = (...statements: string[]): Promise<void> =>
    work(source.url, (database) =>
      database.transaction(async (tx) => {
        for (const sql of statements) await tx.query(sql);
      }),
    );
  const VISITS = (): string =>
    isPostgres()
      ? `CREATE TABLE visits (id serial PRIMARY KEY, page varchar(50) NOT NULL UNIQUE, seen timestamptz DEFAULT now(),
          cost numeric(10, 2) NOT NULL DEFAULT 0, tags text[], note jsonb)`
      : 'CREATE TABLE visits (id INTEGER PRIMARY KEY, page text NOT NULL UNIQUE, cost real NOT NULL DEFAULT 0)';

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'items-own-tables-'));
    file = join(folder, 'items.backup');
    source = await provideDatabase(under.config.dialect);
    target = await provideDatabase(under.config.dialect);
    await work(source.url, (database) => addNotes(database, 3));
    await execute(VISITS(), "INSERT INTO visits (page, cost) VALUES ('/', 1.5), ('/docs', 0)");
  });
  afterEach(async () => {
    await source.drop();
    await target.drop();
    rmSync(folder, { recursive: true });
  });

  it('are in a backup of SQLite; one of PostgreSQL warns with their names, and lacks them', async () => {
    const warnings = await run(source.url, 'backup', file);
    const { rows } = await checkBackup(file);
    if (!isPostgres()) {
      expect([warnings, rows['visits']]).toEqual([[], 2]);
      return;
    }
    expect(warnings).toEqual([
      expect.stringMatching(/^The backup lacks visits, because .*: add --include visits, or --only-service /),
    ]);
    expect(rows).not.toHaveProperty('visits');
    expect(rows['notes']).toBe(3);
  });

  it('are skipped without a warning by --only-service', async () => {
    expect(await run(source.url, 'backup', file, '--only-service')).toEqual([]);
    const { rows } = await checkBackup(file);
    expect(rows).not.toHaveProperty('visits');
    await run(target.url, 'restore', file);
    const notes = await work(target.url, (database) => database.query('SELECT count(*) AS n FROM notes'));
    expect(notes).toEqual([{ n: 3 }]);
  });

  it('come back with --include: rows, keys, defaults and numbers', async () => {
    expect(await run(source.url, 'backup', file, '--include', 'visits')).toEqual([]);
    await run(target.url, 'restore', file);
    await work(target.url, async (database) => {
      const pages = 'SELECT id, page FROM visits ORDER BY id';
      expect(await database.query(pages)).toEqual([
        { id: 1, page: '/' },
        { id: 2, page: '/docs' },
      ]);
      const add = (page: string): Promise<unknown> =>
        database.transaction((tx) => tx.query(`INSERT INTO visits (page) VALUES ('${page}')`));
      await add('/new');
      expect((await database.query(pages)).at(-1)).toEqual({ id: 3, page: '/new' });
      await expect(add('/docs')).rejects.toThrow();
    });
    // The second restore replaces the table.
    await run(target.url, 'restore', file);
    const restored = await work(target.url, (database) => database.query('SELECT count(*) AS n FROM visits'));
    expect(restored).toEqual([{ n: 2 }]);
  });

  it('are refused without a file if they do not exist', async () => {
    await expect(run(source.url, 'backup', file, '--include', 'visits,vists')).rejects.toThrow(
      'The database has no table "vists" besides those of the service',
    );
    await expect(run(source.url, 'backup', file, '--include', 'notes')).rejects.toThrow(
      'The database has no table "notes" besides those of the service',
    );
    await expect(run(source.url, 'backup', file, '--includes', 'visits')).rejects.toThrow(/^Usage: /);
  });

  it('on PostgreSQL: tables of other schemas are named', async () => {
    if (!isPostgres()) return;
    await execute('CREATE SCHEMA reports', 'CREATE TABLE reports.weekly (n integer)');
    expect(await run(source.url, 'backup', file, '--include', 'visits')).toEqual([
      expect.stringMatching(/^The backup lacks reports\.weekly, /),
    ]);
  });

  it('on PostgreSQL: a table that is not plain is refused with the reason', async () => {
    if (!isPostgres()) return;
    await execute(
      'CREATE TABLE linked (visit integer REFERENCES visits (id))',
      'CREATE TABLE checked (n integer CHECK (n > 0))',
      'CREATE TABLE computed (n integer, twice integer GENERATED ALWAYS AS (n * 2) STORED)',
      "CREATE TYPE mood AS ENUM ('good')",
      'CREATE TABLE moody (mood mood)',
      'CREATE TABLE lowered (page text)',
      'CREATE INDEX ON lowered (lower(page))',
      'CREATE TABLE diced (n float8 DEFAULT random())',
    );
    const reasons = {
      linked: 'a foreign key',
      visits: 'a foreign key',
      checked: 'a check',
      computed: 'a computed column',
      moody: 'a type of its own',
      lowered: 'an index of an expression',
      diced: 'the default random()',
    };
    for (const [table, reason] of Object.entries(reasons)) {
      await expect(run(source.url, 'backup', file, '--include', table)).rejects.toThrow(
        `The table ${table} cannot be included, because it has ${reason}`,
      );
    }
  });
});

/** Waits until PostgreSQL lists no closed connection, which a restore would mistake for a running service. */
async function connectionsAreGone(url: string): Promise<void> {
  const open = `SELECT 1 FROM pg_stat_activity WHERE application_name = '${APPLICATION_NAME}' AND datname = current_database()`;
  while ((await askPostgres(url, open)).length > 0) await sleep(10);
}
