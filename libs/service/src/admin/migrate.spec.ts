import { existsSync } from 'node:fs';

import { postgresUnderTest, provideDatabase, type DatabaseName, type TestDatabase } from '@items/testing';

import { databaseAt } from '../data/testing/database-url.testing.js';
import { migrationNames } from '../data/database/migrations.js';
import { migrate } from './migrate.js';
import { LATER_SCHEMA, operationContext, SCHEMA } from './service.testing.js';

const databases: readonly DatabaseName[] = postgresUnderTest() === undefined ? ['sqlite'] : ['sqlite', 'postgres'];

describe.each(databases)('npm run admin -- migrate on %s', (name) => {
  const all = migrationNames(LATER_SCHEMA);
  let provided: TestDatabase;
  let printed: string[];
  let audited: unknown[];

  beforeAll(async () => {
    provided = await provideDatabase(name);
  });
  afterAll(() => provided.drop());
  beforeEach(() => {
    printed = [];
    audited = [];
  });

  /** Runs the command, also with the setting of instances that must not migrate. */
  async function run(schema: typeof SCHEMA, ...args: string[]): Promise<string | undefined> {
    const database = { ...databaseAt(provided.url), isMigratedElsewhere: true } as const;
    const context = operationContext(database, schema, {
      print: (line) => void printed.push(line),
      audit: (event, _, details) => void audited.push([event, details]),
    });
    return migrate(context, args);
  }

  it('--dry-run lists the migrations of a new database, and changes nothing', async () => {
    const listed = [`${String(all.length)} migrations would run:`, ...all].join('\n');
    expect(await run(LATER_SCHEMA, '--dry-run')).toBe(listed);
    expect(await run(LATER_SCHEMA, '--dry-run')).toBe(listed);
    expect(name === 'sqlite' && existsSync(provided.url.slice('sqlite:'.length))).toBe(false);
    expect(audited).toEqual([]);
  });

  it('runs pending migrations, and prints the duration of each', async () => {
    const count = migrationNames(SCHEMA).length;
    expect(await run(SCHEMA)).toBe(`The database is up to date: ${String(count)} migrations ran.`);
    const lines = printed.filter((line) => / \d+ ms$/.test(line));
    expect(lines.map((line) => line.replace(/: \d+ ms$/, ''))).toEqual(migrationNames(SCHEMA));
    expect(audited).toEqual([['database_migrated', { migrations: count }]]);
  });

  it('status shows which migrations have run', async () => {
    const lines = (await run(LATER_SCHEMA, 'status'))?.split('\n') ?? [];
    expect(lines.slice(-3)).toEqual([
      'done     CreateNotes1700000000001',
      'pending  RankNotes1700000000002',
      '1 migration pending.',
    ]);
    expect(lines).toHaveLength(all.length + 1);
  });

  it('runs the migrations of a later version once', async () => {
    expect(await run(LATER_SCHEMA, '--dry-run')).toBe('1 migration would run:\nRankNotes1700000000002');
    expect(await run(LATER_SCHEMA)).toBe('The database is up to date: 1 migration ran.');
    expect(await run(LATER_SCHEMA)).toBe('The database is up to date: no migration is pending.');
    expect(await run(LATER_SCHEMA, '--dry-run')).toBe('No migration is pending.');
    expect(audited).toHaveLength(1);
  });

  it.each([['--dry'], ['status', 'now']])('takes no other argument: %s %s', async (...args) => {
    expect(await run(SCHEMA, ...args)).toBeUndefined();
  });
});
