import { setTimeout as sleep } from 'node:timers/promises';

import { askPostgres, onBothDatabases, openSqliteFile, type TestDatabaseConfig } from '@items/testing';

import { openDatabase } from '../opening/open-database.js';
import { EMPTY_SCHEMA } from '../testing/store-database.testing.js';
import type { Database, Transaction } from './database.js';
import { SYSTEM } from './origin.js';

const WRITE = "INSERT INTO settings (name, value) VALUES ('a', 'b') ON CONFLICT (name) DO UPDATE SET value = 'c'";
/** Age of a request that has one second left for its write. */
const AGE_MS = 3400;
const TOO_SLOW = { status: 503, code: 'too_slow' };
const lines: [level: string, message: string, fields: object][] = [];

function open(config: TestDatabaseConfig): Promise<Database> {
  const say =
    (level: string) =>
    (fields: object, message: string): void =>
      void lines.push([level, message, fields]);
  const log = { info: say('info'), warn: say('warn'), error: say('error') };
  return openDatabase(config, EMPTY_SCHEMA, log, { slowMs: 500 });
}

onBothDatabases<Database>('A statement that takes too long', open, (under) => {
  const isSqlite = (): boolean => under.database.dialect === 'sqlite';
  const write = (
    work = (tx: Transaction): Promise<unknown> => tx.query(WRITE),
    database = under.database,
  ): Promise<unknown> => {
    return database.transaction(work, { ...SYSTEM, sinceMs: performance.now() - AGE_MS });
  };

  /** Another process blocks all writers of the table. */
  async function lockTable(): Promise<() => Promise<void>> {
    const { config } = under;
    if (config.dialect === 'sqlite') {
      const other = openSqliteFile(`sqlite:${config.file}`);
      other.exec('BEGIN IMMEDIATE');
      return () => Promise.resolve(other.close());
    }
    const held = askPostgres(config.url, 'BEGIN; LOCK TABLE settings; SELECT pg_sleep(60)').catch(() => undefined);
    const sql = "SELECT pid FROM pg_locks WHERE relation = 'settings'::regclass AND mode = 'AccessExclusiveLock'";
    let pid: number | undefined;
    while (pid === undefined) pid = (await askPostgres<{ pid: number }>(config.url, sql))[0]?.pid;
    const { url } = config;
    return async () => {
      await askPostgres(url, `SELECT pg_terminate_backend(${String(pid)})`);
      await held;
    };
  }

  beforeEach(async () => {
    await under.database.transaction((tx) => tx.query(WRITE));
    lines.length = 0;
  });

  it('is 503 too_slow for its client, and no outage', async () => {
    const unlock = await lockTable();
    const before = under.database.use().failures;
    try {
      await expect(write()).rejects.toMatchObject(TOO_SLOW);
      expect(under.database.use()).toMatchObject({ isUp: true, outageCause: undefined, failures: before + 1 });
    } finally {
      await unlock();
    }
    await write();
    expect(lines.filter(([level]) => level === 'error')).toEqual([]);
  });

  it('is no outage if its transaction waits for something else', async () => {
    await expect(write(() => sleep(2000))).rejects.toMatchObject(TOO_SLOW);
    expect(under.database.use()).toMatchObject({ isUp: true });
    await write();
  });

  it('is no outage among many slow ones if other statements succeed', async () => {
    if (isSqlite()) return;
    const unlock = await lockTable();
    try {
      const refused = Promise.allSettled(Array.from({ length: 8 }, () => write()));
      for (let n = 0; n < 20; n += 1) {
        await sleep(20);
        await under.database.query('SELECT 1');
      }
      const reasons = (await refused).map((result) => (result.status === 'rejected' ? (result.reason as object) : {}));
      for (const reason of reasons) expect(reason).toMatchObject(TOO_SLOW);
      expect(under.database.use()).toMatchObject({ isUp: true });
      expect(lines).toContainEqual(['warn', 'slow statement', expect.objectContaining({ sql: WRITE })]);
    } finally {
      await unlock();
    }
  });

  it('is an outage after several in a row, until one succeeds', async () => {
    // A new database, on which no statement has succeeded yet.
    const database = await open(under.config);
    const unlock = await lockTable();
    try {
      const codes: unknown[] = [];
      for (let n = 0; n < 4; n += 1)
        codes.push(await write(undefined, database).catch((error: unknown) => (error as { code: string }).code));
      expect(codes).toEqual(['too_slow', 'too_slow', 'database_unavailable', 'database_unavailable']);
      expect(database.use()).toMatchObject({ isUp: false, outageCause: 'slow' });
    } finally {
      await unlock();
    }
    expect(lines.filter(([level]) => level === 'error')).toHaveLength(1);
    await write(undefined, database);
    await database.close();
  });
});
