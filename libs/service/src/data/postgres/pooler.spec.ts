import { askPostgres, createDatabase, Pooler, poolerVersion, postgresUnderTest } from '@items/testing';

import type { StoreLog } from '../outages/store-log.js';
import { EMPTY_SCHEMA } from '../testing/store-database.testing.js';
import type { Database } from '../database/database.js';
import { openDatabase } from '../opening/open-database.js';
import { migratePostgres } from './postgres-source.js';

const canRun = postgresUnderTest() !== undefined && poolerVersion !== undefined;
if (!canRun) process.stderr.write('SKIPPED: PostgreSQL behind PgBouncer: there is no pgbouncer, or no PostgreSQL.\n');

const SETTINGS = `SELECT current_setting('statement_timeout') AS timeout, current_setting('enable_seqscan') AS seqscan,
  current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('plan_cache_mode') AS plan`;
const SET = { timeout: '4s', seqscan: 'off', idle: '10s', plan: 'force_generic_plan' };

(canRun ? describe : describe.skip)('PostgreSQL behind PgBouncer', () => {
  let direct: string;
  let drop: () => Promise<void>;
  const poolers: Pooler[] = [];
  const databases: Database[] = [];
  const warnings: string[] = [];
  const log: StoreLog = { info: jest.fn(), warn: (_, message) => void warnings.push(message), error: jest.fn() };

  const pooler = async (mode: 'session' | 'transaction'): Promise<Pooler> => {
    const started = await Pooler.startInFrontOf(direct, { mode });
    poolers.push(started);
    return started;
  };
  const open = async (url: string, migrationUrl?: string): Promise<Database> => {
    const opened = await openDatabase(
      { dialect: 'postgres', url, ...(migrationUrl !== undefined && { migrationUrl }) },
      EMPTY_SCHEMA,
      log,
    );
    databases.push(opened);
    return opened;
  };
  const ask = (sql: string): Promise<object[]> => askPostgres(direct, sql);

  beforeEach(async () => {
    ({ url: direct, drop } = await createDatabase());
    warnings.length = 0;
  });
  afterEach(async () => {
    for (const database of databases.splice(0)) await database.close();
    for (const started of poolers.splice(0)) await started.stop();
    await drop();
  });

  it('session mode reads and writes, with the timeouts and plans of the service', async () => {
    const database = await open((await pooler('session')).url);
    expect(warnings).toContainEqual(expect.stringContaining('a pooler drops'));
    expect(await database.query(SETTINGS)).toEqual([SET]);
    expect(await database.transaction((tx) => tx.query(SETTINGS))).toEqual([SET]);
    await database.transaction((tx) => tx.query("INSERT INTO settings (name, value) VALUES ('a', 'b')"));
    expect(await database.query("SELECT value FROM settings WHERE name = 'a'")).toEqual([{ value: 'b' }]);
    await expect(database.query('SELECT pg_sleep(6)')).rejects.toMatchObject({ code: 'too_slow' });
  });

  it('needs no transaction for reads if the role has the settings', async () => {
    const { pathname, username } = new URL(direct);
    const settings = [
      'statement_timeout=4000',
      'idle_in_transaction_session_timeout=10000',
      'enable_seqscan=off',
    ].concat([
      'plan_cache_mode=force_generic_plan',
      'enable_bitmapscan=off',
      'max_parallel_workers_per_gather=0',
      'jit=off',
    ]);
    for (const setting of settings) {
      await ask(`ALTER ROLE "${username}" IN DATABASE "${pathname.slice(1)}" SET ${setting.replace('=', ' = ')}`);
    }
    const database = await open((await pooler('session')).url, direct);
    expect(warnings.filter((line) => line.includes('pooler'))).toEqual([]);
    expect(await database.query(SETTINGS)).toEqual([SET]);
  });

  it('many instances migrate in transaction mode concurrently, and leave no lock', async () => {
    const { url } = await pooler('transaction');
    const done = await Promise.all([1, 2, 3, 4].map(() => migratePostgres(url, EMPTY_SCHEMA, log)));
    expect(done.filter((count) => count > 0)).toHaveLength(1);
    const locks = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 25059053
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    expect(await ask(locks)).toEqual([]);
    expect(await migratePostgres(direct, EMPTY_SCHEMA, log)).toBe(0);
  });

  it('transaction mode is refused with one sentence if it mixes up prepared statements', async () => {
    const mixing = await Pooler.startInFrontOf(direct, { mode: 'transaction', prepares: false });
    poolers.push(mixing);
    for (let start = 1; start <= 3; start += 1)
      await expect(open(mixing.url, direct)).rejects.toThrow(
        /^a pooler mixes up prepared statements: use session mode/,
      );
  });

  it('a pooler with read-only connections is skipped for the next host', async () => {
    const readOnly = await Pooler.startInFrontOf(direct, {
      mode: 'session',
      onConnect: 'SET default_transaction_read_only = on',
    });
    poolers.push(readOnly);
    await expect(open(readOnly.url)).rejects.toThrow('the server is read-only');
    const database = await open(readOnly.url.replace(/(127\.0\.0\.1:\d+)/, `$1,${new URL(direct).host}`));
    await Promise.all(
      Array.from({ length: 16 }, () => database.transaction((tx) => tx.query("DELETE FROM settings WHERE name = 'x'"))),
    );
  });

  it('migrations bypass the pooler if they have their own URL', async () => {
    const { url } = await pooler('session');
    await migratePostgres(direct, EMPTY_SCHEMA);
    const database = await open(url, direct);
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    const wrong = openDatabase({ dialect: 'postgres', url, migrationUrl: 'postgres://x@127.0.0.1:1/x' }, EMPTY_SCHEMA);
    await expect(wrong).rejects.toMatchObject({ name: 'DatabaseNotOpenedError', isOfMigrations: true });
  });
});
