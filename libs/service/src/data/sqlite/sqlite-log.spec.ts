import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Sqlite } from './sqlite.js';

import type { StoreLog } from '../outages/store-log.js';
import { EMPTY_SCHEMA } from '../testing/store-database.testing.js';
import { openDatabase } from '../opening/open-database.js';

describe('SQLite while another process uses the file', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'items-'));
    file = join(folder, 'items.sqlite');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('waits at the start for a writer, logs it, and blocks nothing meanwhile', async () => {
    await (await openDatabase({ dialect: 'sqlite', file }, EMPTY_SCHEMA)).close();
    const other = new Sqlite(file);
    other.exec('BEGIN IMMEDIATE');
    const said: string[] = [];
    const warn = (_: object, message: string): void => {
      said.push(message);
      // Releases the lock, which a blocked process could not do.
      other.exec('COMMIT');
    };
    const log: StoreLog = { info: jest.fn(), warn, error: jest.fn() };
    await (await openDatabase({ dialect: 'sqlite', file }, EMPTY_SCHEMA, log)).close();
    other.close();
    expect(said).toEqual(['another process is writing to the database; waiting until it is done']);
  });

  it('reports the size of its log, and how often the log was restarted', async () => {
    const database = await openDatabase({ dialect: 'sqlite', file }, EMPTY_SCHEMA);
    const write = (): Promise<unknown> =>
      database.transaction((tx) => tx.query("INSERT INTO settings (name, value) VALUES ($1, '')", [Math.random()]));
    await write();
    const before = database.use().log?.();
    expect(before?.bytes).toBeGreaterThan(4096);
    const other = new Sqlite(file);
    other.pragma('wal_checkpoint(RESTART)');
    other.close();
    await write();
    expect(database.use().log?.().restarts).toBe((before?.restarts ?? 0) + 1);
    await database.close();
    expect(database.use().log?.().bytes).toBe(0);
  });
});
