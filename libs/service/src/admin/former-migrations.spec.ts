import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  createDatabase,
  type DatabaseName,
  postgresUnderTest,
  provideDatabase,
  type TestDatabase,
} from '@items/testing';

import type { Migration } from '../data/schema/migration.js';
import { databaseAt } from '../data/testing/database-url.testing.js';
import { openDatabase } from '../data/opening/open-database.js';
import { operations } from './operations.js';
import { runOperation } from './run-program.js';
import { addNotes, LATER_SCHEMA, operationContext, SCHEMA } from './service.testing.js';

const databases: readonly DatabaseName[] = postgresUnderTest() === undefined ? ['sqlite'] : ['sqlite', 'postgres'];

/** Replaces the migrations of {@link LATER_SCHEMA}. */
class NotesBaseline implements Migration {
  readonly name = 'RankNotes1700000000002';
  readonly replaces = ['CreateNotes1700000000001'];

  async up(runner: Parameters<Migration['up']>[0]): Promise<void> {
    for (const Former of LATER_SCHEMA.migrations) await new Former().up(runner);
  }
}
const BASELINE = { migrations: [NotesBaseline] };

describe.each(databases)('A baseline of migrations on %s', (dialect) => {
  let folder: string;
  let file: string;
  let former: TestDatabase;
  let target: TestDatabase;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'items-former-'));
    file = join(folder, 'items.backup');
    former = await provideDatabase(dialect);
    target = await provideDatabase(dialect);
  });
  afterEach(async () => {
    await Promise.all([former.drop(), target.drop()]);
    rmSync(folder, { recursive: true });
  });

  const run = (url: string, ...args: string[]): Promise<string> =>
    runOperation(operations, args, () => operationContext(databaseAt(url), BASELINE));

  it('has run in a database of the migrations that it replaces, which is backed up, restored and copied', async () => {
    const database = await openDatabase(databaseAt(former.url), LATER_SCHEMA);
    await database.close();
    expect(await run(former.url, 'migrate', '--dry-run')).toBe('No migration is pending.');
    expect(await run(former.url, 'check')).toMatch(/^ok +schema /m);
    const opened = await openDatabase(databaseAt(former.url), BASELINE);
    await addNotes(opened, 3);
    await opened.close();
    const notes = async (url: string): Promise<unknown> => {
      const database = await openDatabase(databaseAt(url), BASELINE);
      const rows = await database.query('SELECT count(*) AS n FROM notes');
      await database.close();
      return rows;
    };
    await run(former.url, 'backup', file);
    await run(target.url, 'restore', file);
    expect(await notes(target.url)).toEqual([{ n: 3 }]);
    if (postgresUnderTest() === undefined) return;
    const other = dialect === 'postgres' ? undefined : await createDatabase();
    const to = other?.url ?? `sqlite:${join(folder, 'copy.sqlite')}`;
    expect(await run(former.url, 'copy', '--to', to)).toMatch(/^Copied, /);
    expect(await notes(to)).toEqual([{ n: 3 }]);
    await other?.drop();
  });

  it('records the migrations that it replaces, so that the former version starts on a new database', async () => {
    await (await openDatabase(databaseAt(target.url), BASELINE)).close();
    const database = await openDatabase(databaseAt(target.url), LATER_SCHEMA);
    const rows = await database.query<{ name: string }>('SELECT name FROM migrations ORDER BY timestamp');
    await database.close();
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['CreateNotes1700000000001', 'RankNotes1700000000002']),
    );
    await (await openDatabase(databaseAt(target.url), BASELINE)).close();
  });

  it('refuses an older database, and its backup, with one sentence', async () => {
    await (await openDatabase(databaseAt(former.url), SCHEMA)).close();
    const sentence = 'is older than commit 8795a3c: start that commit on it once, and then this version.';
    const config = databaseAt(former.url);
    for (const opened of [config, { ...config, isMigratedElsewhere: true as const }]) {
      const error: unknown = await openDatabase(opened, BASELINE).catch((refused: unknown) => refused);
      expect(String(error)).toBe(`DatabaseTooOldError: The database ${sentence}`);
    }
    for (const args of [['migrate'], ['migrate', '--dry-run'], ['migrate', 'status'], ['backup', file]]) {
      const error: unknown = await run(former.url, ...args).catch((refused: unknown) => refused);
      expect([args, (error as Error).name, (error as Error).message]).toEqual([
        args,
        'OperationError',
        `The database ${sentence}`,
      ]);
    }
    expect(await run(former.url, 'check')).toMatch(/^error +migrations +the database is too old/m);
    await runOperation(operations, ['backup', file], () => operationContext(config, SCHEMA));
    await expect(run(target.url, 'restore', file)).rejects.toThrow(`The backup ${file} ${sentence}`);
    await (await openDatabase(config, SCHEMA)).close();
  });
});
