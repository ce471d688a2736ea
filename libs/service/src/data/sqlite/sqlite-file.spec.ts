import { cpSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ServiceUnavailableError } from '@items/conventions';
import { Sqlite } from './sqlite.js';

import type { StoreLog } from '../outages/store-log.js';
import { EMPTY_SCHEMA } from '../testing/store-database.testing.js';
import type { Database } from '../database/database.js';
import { openDatabase } from '../opening/open-database.js';

const ADD = 'INSERT INTO settings (name, value) VALUES ($1, $2)';

describe('A SQLite file that is deleted or replaced while it is in use', () => {
  let folder: string;
  let file: string;
  let database: Database;
  let lines: string[];
  const log = (): StoreLog => {
    const write = (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`);
    return { info: write, warn: write, error: write };
  };
  const add = (name: string): Promise<unknown> => database.transaction((tx) => tx.query(ADD, [name, '']));

  beforeEach(async () => {
    // Fakes only the check of the files, once a second.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'setTimeout', 'clearTimeout'] });
    lines = [];
    folder = mkdtempSync(join(tmpdir(), 'items-'));
    file = join(folder, 'items.sqlite');
    database = await openDatabase({ dialect: 'sqlite', file }, EMPTY_SCHEMA, log());
    await add('before');
    jest.advanceTimersByTime(3000);
    lines = [];
  });
  afterEach(async () => {
    await database.close();
    jest.useRealTimers();
    rmSync(folder, { recursive: true, force: true });
  });

  const WAYS: readonly [string, () => void, RegExp][] = [
    ['deleted', () => rmSync(file), /items\.sqlite was deleted/],
    ['deleted with all that belongs to it', () => rmSync(folder, { recursive: true }), /items\.sqlite was deleted/],
    ['whose log was deleted', () => rmSync(`${file}-wal`), /items\.sqlite-wal was deleted/],
    [
      'replaced by a copy',
      () => {
        cpSync(file, `${file}.copy`);
        renameSync(`${file}.copy`, file);
      },
      /items\.sqlite was replaced/,
    ],
  ];

  it.each(WAYS)('%s: no write succeeds, it is not ready, and one line reports it', async (_, take, line) => {
    take();
    await expect(add('after')).rejects.toBeInstanceOf(ServiceUnavailableError);
    for (const work of [database.ping(), database.query('SELECT 1'), add('later')])
      await expect(work).rejects.toBeInstanceOf(ServiceUnavailableError);
    jest.advanceTimersByTime(30_000);
    expect(lines).toEqual([expect.stringMatching(line)]);
  });

  it('is noticed within a second if nothing is written', async () => {
    rmSync(file);
    await expect(database.ping()).resolves.toBeUndefined();
    jest.advanceTimersByTime(1000);
    await expect(database.ping()).rejects.toBeInstanceOf(ServiceUnavailableError);
    expect(lines).toHaveLength(1);
  });

  it('is used again when it is put back, and a line reports it', async () => {
    renameSync(file, `${file}.away`);
    await expect(add('lost')).rejects.toBeInstanceOf(ServiceUnavailableError);
    renameSync(`${file}.away`, file);
    jest.advanceTimersByTime(1000);
    await add('after');
    expect(await database.query("SELECT name FROM settings WHERE name <> 'epoch'")).toEqual([
      { name: 'after' },
      { name: 'before' },
    ]);
    jest.advanceTimersByTime(6000);
    expect(lines).toEqual([expect.stringContaining('does not answer'), expect.stringContaining('answers again')]);
  });

  const logs = (): string[] =>
    readdirSync(folder)
      .filter((name) => /-(wal|shm)/.test(name))
      .map((name) => name.replace(/\d{8}t\d{9}z$/, 'TIME'))
      .sort();

  it.each([['items.sqlite'], ['link.sqlite']])(
    'leaves no WAL to another file at its path when it is closed (%s)',
    async (name) => {
      const named = join(folder, name);
      await database.close();
      if (named !== file) symlinkSync(file, named);
      database = await openDatabase({ dialect: 'sqlite', file: named }, EMPTY_SCHEMA, log());
      await add('in the backup');
      const backup = new Sqlite(file);
      backup.prepare('VACUUM INTO ?').run(`${file}.backup`);
      backup.close();
      for (let n = 0; n < 50; n += 1) await add(`later ${String(n)}`);
      rmSync(file);
      await expect(add('lost')).rejects.toBeInstanceOf(ServiceUnavailableError);
      cpSync(`${file}.backup`, file);
      lines = [];
      await database.close();
      expect(lines).toEqual([expect.stringMatching(/renamed its WAL to .*items\.sqlite-wal\.left-\d{8}t\d{9}z \{\}$/)]);
      expect(logs()).toEqual(['items.sqlite-shm.left-TIME', 'items.sqlite-wal.left-TIME']);

      database = await openDatabase({ dialect: 'sqlite', file: named }, EMPTY_SCHEMA, log());
      expect(await database.query('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
      const names = "SELECT name FROM settings WHERE name <> 'epoch' ORDER BY name";
      expect(await database.query(names)).toEqual([{ name: 'before' }, { name: 'in the backup' }]);
    },
  );

  it('has all writes if it is put back before it is closed', async () => {
    renameSync(file, `${file}.away`);
    await expect(add('lost')).rejects.toBeInstanceOf(ServiceUnavailableError);
    renameSync(`${file}.away`, file);
    await database.close();
    expect(logs()).toEqual([]);
    database = await openDatabase({ dialect: 'sqlite', file }, EMPTY_SCHEMA, log());
    expect(await database.query("SELECT name FROM settings WHERE name <> 'epoch'")).toEqual([{ name: 'before' }]);
  });
});
