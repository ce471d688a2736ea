import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { NO_LOG, type StoreLog } from '../outages/store-log.js';
import { analyseParents } from '../database/analyse-parents.js';
import { DATABASE_DEADLINE_MS } from '../database/database-unavailable.js';
import { APPLICATION_NAME, type DatabaseSchema } from '../database/database-options.js';
import { epochStatements } from '../schema/epochs.js';
import { DatabaseNotOpenedError, initialized } from '../database/initialized.js';
import { allMigrations, runMigrations } from '../database/migrations.js';
import { PostgresHosts, refuseReadOnly, urlsOf } from '../database/postgres-hosts.js';
import { postgresTypes } from './postgres-query.js';
import { ACQUIRE_TIMEOUT_MS, BEGIN_MIGRATING, MIGRATING_OPTIONS, SERVING_OPTIONS } from './postgres-settings.js';
import { inShortLocks } from '../database/short-locks.js';
import { poolOf, postgresSourceOf } from './typeorm-pool.js';

export const POOL_SIZE = 16;
/** Long, because no request waits yet and all instances may start together. */
const OPEN_TIMEOUT_MS = 15_000;
const MIGRATION_LOCK = 0x17e_5eed;
const TAKE_MIGRATION_LOCK = `SELECT pg_try_advisory_xact_lock(${String(MIGRATION_LOCK)}) AS locked`;
const MIGRATION_RETRY_MS = 100;
/** Error of a pooler without support for startup options. */
const REFUSED_OPTIONS = /unsupported startup parameter/;
/**
 * Ignores error events: an unhandled one would end the process, and the pool handles only error events of idle
 * connections. The next statement of a lost connection fails.
 */
class ClientIgnoringErrors extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

function connectionTo(hosts: PostgresHosts): typeof pg.Client {
  return class extends ClientIgnoringErrors {
    override connect(): Promise<pg.Client>;
    override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
    override connect(callback?: unknown): Promise<pg.Client> | undefined {
      const connected = hosts.find().then((found) => {
        Object.assign(this, found);
        return super.connect();
      });
      if (callback === undefined) return connected;
      const done = callback as (error: unknown, client?: pg.Client) => void;
      connected.then((client) => {
        done(null, client);
      }, done);
      return undefined;
    }
  };
}

function options(
  url: string,
  schema: DatabaseSchema,
  poolSize: number,
  extra: pg.PoolConfig,
): Parameters<typeof postgresSourceOf>[0] {
  const urls = urlsOf(url);
  const [first] = urls;
  return {
    type: 'postgres',
    ...(first !== undefined && { url: first }),
    migrations: allMigrations(schema),
    poolSize,
    connectTimeoutMS: OPEN_TIMEOUT_MS,
    applicationName: schema.applicationName ?? APPLICATION_NAME,
    installExtensions: false,
    // The pool replaces a connection that breaks while idle.
    poolErrorHandler: () => undefined,
    extra: {
      types: postgresTypes,
      keepAlive: true,
      Client: urls.length === 1 ? ClientIgnoringErrors : connectionTo(new PostgresHosts(urls)),
      ...extra,
    },
  };
}

async function openSource(url: string, schema: DatabaseSchema, size: number, startup: string): Promise<DataSource> {
  const extra = { query_timeout: size === POOL_SIZE ? DATABASE_DEADLINE_MS : undefined };
  try {
    return await initialized(postgresSourceOf(options(url, schema, size, { ...extra, options: startup })));
  } catch (error) {
    if (!(error instanceof Error && REFUSED_OPTIONS.test(error.message))) throw error;
    return initialized(postgresSourceOf(options(url, schema, size, extra)));
  }
}

export async function postgresSource(url: string, schema: DatabaseSchema): Promise<DataSource> {
  const source = await openSource(url, schema, POOL_SIZE, SERVING_OPTIONS);
  poolOf(source).options.connectionTimeoutMillis = ACQUIRE_TIMEOUT_MS;
  return source;
}

/**
 * Runs the migrations and begins an epoch, without timeouts. Other instances wait meanwhile.
 * @throws {DatabaseNotOpenedError} @throws {DatabaseTooOldError}
 */
export async function migratePostgres(url: string, schema: DatabaseSchema, log: StoreLog = NO_LOG): Promise<number> {
  const source = await openSource(url, schema, 2, MIGRATING_OPTIONS);
  try {
    const guard = await poolOf(source).connect();
    try {
      await requireWritable(guard);
      await lockMigrations(guard, log);
      const count = await runMigrations(source, 'each', log);
      await beginEpoch(source);
      await analyse(source, count > 0);
      return count;
    } finally {
      await guard.query('ROLLBACK');
      guard.release();
    }
  } finally {
    await source.destroy();
  }
}

/**
 * Begins an epoch. Needs no DDL rights, because another process runs the migrations.
 * @throws {DatabaseNotOpenedError}
 */
export async function beginPostgres(url: string, schema: DatabaseSchema): Promise<void> {
  const source = await openSource(url, schema, 1, MIGRATING_OPTIONS);
  try {
    const client = await poolOf(source).connect();
    await requireWritable(client).finally(() => {
      client.release();
    });
    await beginEpoch(source);
  } finally {
    await source.destroy();
  }
}

async function requireWritable(client: pg.PoolClient): Promise<void> {
  await refuseReadOnly(client).catch((error: unknown) => {
    throw new DatabaseNotOpenedError(error);
  });
}

/** Uses a short lock timeout, because writers queue behind a waiting table lock. */
async function beginEpoch(source: DataSource): Promise<void> {
  const runner = source.createQueryRunner();
  try {
    await inShortLocks(runner, epochStatements('postgres'), BEGIN_MIGRATING);
  } finally {
    await runner.release();
  }
}

async function analyse(source: DataSource, isChanged: boolean): Promise<void> {
  const runner = source.createQueryRunner();
  try {
    await runner.query(BEGIN_MIGRATING);
    await analyseParents((sql) => runner.query(sql), isChanged ? 'all' : 'unknown');
    await runner.query('COMMIT');
  } finally {
    await runner.release();
  }
}

/**
 * Holds the lock in a transaction, because a pooler runs a whole transaction on one connection. Polls, because CREATE
 * INDEX CONCURRENTLY would wait for a statement that waits for the lock.
 */
async function lockMigrations(guard: pg.PoolClient, log: StoreLog): Promise<void> {
  for (let isWaiting = false; ; isWaiting = true) {
    await guard.query(BEGIN_MIGRATING);
    // Uses the simple protocol (no parameters). The extended protocol would hold the database snapshot until the next
    // statement, and CREATE INDEX CONCURRENTLY would wait forever.
    const { rows } = await guard.query<{ locked: boolean }>(TAKE_MIGRATION_LOCK);
    if (rows[0]?.locked === true) return;
    await guard.query('ROLLBACK');
    if (!isWaiting) log.warn({}, 'another instance is migrating the database; waiting until it is done');
    await sleep(MIGRATION_RETRY_MS);
  }
}
