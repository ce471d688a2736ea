import { createHash, randomFillSync } from 'node:crypto';
import fs, {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';

import { databaseAt } from '../../data/testing/database-url.testing.js';
import type { DatabaseSchema } from '../../data/database/database-options.js';
import { openDatabase } from '../../data/opening/open-database.js';
import { Sqlite } from '../../data/sqlite/sqlite.js';
import { databaseRows, provideDatabase, type TestDatabase } from '@items/testing';

import { startOperation } from '../operation-process.testing.js';
import { operations } from '../operations.js';
import { runOperation } from '../run-program.js';
import { withPostgres } from '../session/postgres-session.js';
import { addManyNotes, addNotes, describeService, LATER_SCHEMA, operationContext, SCHEMA } from '../service.testing.js';

const EPOCHS = /^(epoch_ends|migrations) |"(epoch|backup)"/;

describeService('restore', (under) => {
  let folder: string;
  let file: string;
  let target: TestDatabase;

  const run = (name: string, url: string, schema: DatabaseSchema = SCHEMA): Promise<string> =>
    runOperation(operations, [name, file], () => operationContext(databaseAt(url), schema));
  /** All rows except those that every start or backup changes. */
  const rowsOf = async (url: string): Promise<string[]> =>
    (await databaseRows(url)).filter((row) => !EPOCHS.test(row)).sort();
  const urlOf = (): string => (under.config.dialect === 'sqlite' ? `sqlite:${under.config.file}` : under.config.url);
  /** Runs a service on the target that writes and stops. */
  const write = async (count: number): Promise<void> => {
    const database = await openDatabase(databaseAt(target.url), SCHEMA);
    await addNotes(database, count);
    await database.close();
  };
  /** Returns files or schemas other than those in use. Readers may leave SQLite logs. */
  const leftovers = async (): Promise<string[]> => {
    if (under.config.dialect === 'sqlite') {
      const path = target.url.replace('sqlite:', '');
      return readdirSync(dirname(path)).filter((name) => name !== basename(path) && !/-(wal|shm)$/.test(name));
    }
    return withPostgres(target.url, async (client) => {
      const sql = "SELECT nspname FROM pg_namespace WHERE nspname ~ '^(items|former)_'";
      return (await client.query<{ nspname: string }>(sql)).rows.map(({ nspname }) => nspname);
    });
  };

  beforeAll(() => addNotes(under.database, 1200));
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'items-restore-'));
    file = join(folder, 'items.backup');
    target = await provideDatabase(under.config.dialect);
  });
  afterEach(async () => {
    await target.drop();
    rmSync(folder, { recursive: true });
  });

  it('restores every row unchanged into an empty database', async () => {
    await run('backup', urlOf());
    expect(await run('restore', target.url)).toMatch(
      /^Restored the backup of 2\d{3}-.*Z: \d+ rows in \d+ tables\. There w/,
    );
    expect(await rowsOf(target.url)).toEqual(await rowsOf(urlOf()));
    expect(await leftovers()).toEqual([]);
  });

  it('the former data are preserved separately, and later rows are gone', async () => {
    await write(5);
    await run('backup', target.url);
    const before = await rowsOf(target.url);
    await write(700);
    const lost = await rowsOf(target.url);
    const said = await run('restore', target.url);
    expect(await rowsOf(target.url)).toEqual(before);

    const [former, ...more] = await leftovers();
    expect(more).toEqual([]);
    expect(said).toContain(String(former));
    if (under.config.dialect === 'sqlite') {
      const path = join(dirname(target.url.replace('sqlite:', '')), String(former));
      expect(await rowsOf(`sqlite:${path}`)).toEqual(lost);
    } else {
      const url = new URL(target.url);
      url.searchParams.set('options', `-c search_path=${String(former)}`);
      const count = 'SELECT count(*) AS n FROM notes';
      const { rows } = await withPostgres(url.href, (client) => client.query<{ n: string }>(count));
      expect(rows[0]?.n).toBe('705');
    }
    await write(5);
    expect((await rowsOf(target.url)).length).toBe(before.length + 5);
  });

  it('a running service is detected', async () => {
    await run('backup', urlOf());
    const before = await rowsOf(urlOf());
    // The pool closes idle connections after 10 s.
    await under.database.query('SELECT 1 AS one');
    await expect(run('restore', urlOf())).rejects.toThrow(/^The database .*is in use: stop .*service first\.$/);
    expect(await rowsOf(urlOf())).toEqual(before);
  });

  it('an older backup is brought up to date', async () => {
    await run('backup', urlOf());
    await run('restore', target.url, LATER_SCHEMA);
    const database = await openDatabase(databaseAt(target.url), LATER_SCHEMA);
    expect(await database.query('SELECT count(*) AS n, min(rank) AS rank FROM notes')).toEqual([{ n: 1200, rank: 7 }]);
    await database.close();
  });

  it('restored tables are guarded against changes without a stamp, even after the former ones are dropped', async () => {
    await run('backup', urlOf());
    for (let time = 0; time < 2; time += 1) await run('restore', target.url);
    const database = await openDatabase(databaseAt(target.url), SCHEMA);
    await database.transaction(async (tx) => {
      const former =
        under.config.dialect === 'postgres'
          ? await tx.query<{ name: string }>("SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'former%'")
          : [];
      for (const { name } of former) await tx.query(`DROP SCHEMA ${name} CASCADE`);
    });
    const changed = database.transaction((tx) => tx.query("UPDATE notes SET body = 'raw'"));
    await expect(changed).rejects.toHaveProperty(
      'message',
      expect.stringMatching(/^A row of notes was changed without/),
    );
    await database.close();
  });

  it('a backup of a later version is refused', async () => {
    await (await openDatabase(databaseAt(target.url), LATER_SCHEMA)).close();
    await run('backup', target.url);
    await expect(run('restore', target.url)).rejects.toThrow(
      `The backup ${file} was made by a later version of the service (RankNotes1700000000002): restore it with that version.`,
    );
  });

  it('a backup that is damaged, missing or of another kind changes nothing', async () => {
    await write(5);
    const before = await rowsOf(target.url);
    await expect(run('restore', target.url)).rejects.toThrow(`There is no file ${file}: give the name of a backup.`);
    await run('backup', urlOf());
    writeFileSync(file, readFileSync(file).subarray(0, -100));
    await expect(run('restore', target.url)).rejects.toThrow(/^The backup .* is damaged: /);
    const other = await provideDatabase(under.config.dialect === 'sqlite' ? 'postgres' : 'sqlite');
    await expect(run('restore', other.url)).rejects.toThrow(/is a backup of \w+, and DATABASE_URL names a database of/);
    await other.drop();
    expect(await rowsOf(target.url)).toEqual(before);
    expect(await leftovers()).toEqual([]);
  });

  it('killed in the middle, it has changed nothing, and can be started again', async () => {
    const large = await openDatabase(databaseAt(target.url), SCHEMA);
    await addManyNotes(large, under.config.dialect === 'postgres' ? 15_000 : 40_000);
    await large.close();
    await run('backup', target.url);
    await write(3);
    const before = await rowsOf(target.url);
    const killed = startOperation({ database: databaseAt(target.url), name: 'restore', args: [file] });
    while ((await leftovers()).every((name) => !name.includes('restoring'))) await sleep(2);
    killed.kill();
    expect((await killed.ended).signal).toBe('SIGKILL');
    expect(await rowsOf(target.url)).toEqual(before);

    await run('restore', target.url);
    expect((await rowsOf(target.url)).length).toBe(before.length - 3);
    expect((await leftovers()).map((name) => /former|restoring/.exec(name)?.[0])).toEqual(['former']);
  }, 90_000);

  it('on SQLite: a full disk is reported, the mode stays, and a damaged file is replaced as well', async () => {
    if (under.config.dialect === 'postgres') return;
    await write(5);
    const path = target.url.replace('sqlite:', '');
    chmodSync(path, 0o640);
    const before = await rowsOf(target.url);
    await run('backup', urlOf());
    const work = { database: databaseAt(target.url), name: 'restore', args: [file] };
    expect((await startOperation(work, 100).ended).text).toMatch(/^OperationError: The backup was not restored.*\.\n$/);
    expect(await rowsOf(target.url)).toEqual(before);

    writeFileSync(path, 'not a database at all');
    await run('restore', target.url);
    expect(await rowsOf(target.url)).toEqual(await rowsOf(urlOf()));
    expect(statSync(path).mode & 0o777).toBe(0o640);
    const [former] = await leftovers();
    expect(readFileSync(join(dirname(path), String(former)), 'utf8')).toBe('not a database at all');
  });

  it.each(['DELETE', 'WAL'])('on SQLite: a file damaged in the middle is replaced, and kept (%s)', async (mode) => {
    if (under.config.dialect === 'postgres') return;
    await run('backup', urlOf());
    const path = target.url.replace('sqlite:', '');
    copyFileSync(file, path);
    const database = new Sqlite(path);
    database.pragma(`journal_mode = ${mode}`);
    // As many tables as a service has, so that their definitions exceed the first page.
    for (let n = 0; n < 60; n += 1) database.exec(`CREATE TABLE other_${String(n)} (name text NOT NULL)`);
    if (mode === 'WAL') database.pragma('wal_checkpoint(TRUNCATE)');
    database.exec("UPDATE settings SET value = value || ' '");
    const [damaged, log] = [path, `${path}-wal`].map((name) => existsSync(name) && readFileSync(name));
    database.close();
    if (!damaged) throw new Error('There is no file.');
    randomFillSync(damaged, 4096);
    writeFileSync(path, damaged);
    if (log) writeFileSync(`${path}-wal`, log);

    const said = await run('restore', target.url);
    expect(await rowsOf(target.url)).toEqual(await rowsOf(urlOf()));
    const former = /The former database is (.*): /.exec(said)?.[1] ?? '';
    expect(readFileSync(former).equals(damaged)).toBe(true);
    expect(existsSync(`${former}-wal`) && readFileSync(`${former}-wal`)).toEqual(log);
    expect(Boolean(log)).toBe(mode === 'WAL');
  });

  it('on SQLite: the former file has the writes of its log on a file system without hard links, too', async () => {
    if (under.config.dialect === 'postgres') return;
    await write(5);
    await run('backup', urlOf());
    const path = target.url.replace('sqlite:', '');
    const database = new Sqlite(path);
    database.exec("CREATE TABLE other (name text NOT NULL); INSERT INTO other VALUES ('only in the log')");
    const [written, log] = [path, `${path}-wal`].map((name) => readFileSync(name));
    database.close();
    if (!written || !log) throw new Error('There is no log.');
    writeFileSync(path, written);
    writeFileSync(`${path}-wal`, log);
    const before = await rowsOf(target.url);
    writeFileSync(path, written);
    writeFileSync(`${path}-wal`, log);
    const link = jest.spyOn(fs, 'linkSync').mockImplementation(() => {
      throw new Error('EPERM: operation not permitted, link');
    });
    try {
      const said = await run('restore', target.url);
      expect(link).toHaveBeenCalled();
      const former = /The former database is (.*): /.exec(said)?.[1] ?? '';
      expect(await rowsOf(`sqlite:${former}`)).toEqual(before);
    } finally {
      link.mockRestore();
    }
  });

  it('on SQLite: a symbolic link stays one, and the file that it names is replaced', async () => {
    if (under.config.dialect === 'postgres') return;
    await write(5);
    await run('backup', urlOf());
    const path = target.url.replace('sqlite:', '');
    const link = join(folder, 'link.sqlite');
    symlinkSync(path, link);
    await run('restore', `sqlite:${link}`);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(await rowsOf(target.url)).toEqual(await rowsOf(urlOf()));
    expect(readdirSync(folder).sort()).toEqual(['items.backup', 'link.sqlite']);
  });

  it.each([
    ['lacks a table', 'DROP TABLE places', /is damaged: it has no places\.name\.$/],
    ['lacks a column', 'ALTER TABLE notes DROP COLUMN price', /is damaged: it has no notes\.price\.$/],
    ['lacks its clocks', 'DELETE FROM collection_lanes', /is damaged: it has no rows of collection_lanes\.$/],
    [
      'has a trigger of its own',
      'CREATE TRIGGER mine AFTER INSERT ON places BEGIN DELETE FROM notes; END',
      /has the trigger mine, which is not the service's/,
    ],
  ])('on SQLite: a file without a manifest that %s is refused', async (_, sql, sentence) => {
    if (under.config.dialect === 'postgres') return;
    await write(5);
    const before = await rowsOf(target.url);
    await run('backup', urlOf());
    const database = new Sqlite(file);
    database.exec('DROP TABLE backup_manifest');
    database.exec(sql);
    database.close();
    await expect(run('restore', target.url)).rejects.toThrow(sentence);
    expect(await rowsOf(target.url)).toEqual(before);
    expect(await leftovers()).toEqual([]);
  });

  it('on PostgreSQL: a backup without one of the tables is refused', async () => {
    if (under.config.dialect === 'sqlite') return;
    await run('backup', urlOf());
    const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');
    const { end } = JSON.parse(lines.pop() ?? '') as { end: Record<string, number> };
    delete end['places'];
    const text = `${lines.join('\n')}\n`;
    const sha256 = createHash('sha256').update(text).digest('hex');
    writeFileSync(file, gzipSync(`${text}${JSON.stringify({ end, sha256 })}\n`));
    await expect(run('restore', target.url)).rejects.toThrow(/is damaged: it has no table places\.$/);
    expect(await leftovers()).toEqual([]);
  });
});
