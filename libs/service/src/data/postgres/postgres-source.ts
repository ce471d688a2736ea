import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';
import type { DataSource } from 'typeorm';

import { NO_LOG, type StoreLog } from '../outages/store-log.js';
import { analyseParents } from '../database/analyse-parents.js';
import { DATABASE_DEADLINE_MS } from '../database/database-unavailable.js';
import { APPLICATION_NAME, type DatabaseSchema } from '../database/database-options.js';
import { epochStatements } from '../schema/epochs.js';
import { DatabaseNotOpenedError, initialized } from '../database/initialized.js';
import { PostgresHosts, refuseReadOnly, urlsOf } from '../database/postgres-hosts.js';
import { postgresTypes } from './postgres-query.js';
import { ACQUIRE_TIMEOUT_MS, BEGIN_MIGRATING, MIGRATING_OPTIONS, SERVING_OPTIONS } from './postgres-settings.js';
import { inShortLocks } from '../database/short-locks.js';
import { tablesOf } from '../database/tables-of.js';
import { poolOf, postgresSourceOf } from '../sqlite/typeorm-connections.js';

/** Connections of one process. */
const POOL_SIZE = 16;
/** Longest wait for the first connections, in milliseconds: no request waits, and all instances may start at once. */
const OPEN_TIMEOUT_MS = 15_000;
/** Name of the advisory lock under which one instance at a time migrates. */
const MIGRATION_LOCK = 0x17e_5eed;
const TAKE_MIGRATION_LOCK = `SELECT pg_try_advisory_xact_lock(${String(MIGRATION_LOCK)}) AS locked`;
/** Pause before the migration lock is asked for again, in milliseconds. */
const MIGRATION_RETRY_MS = 100;
/** What a pooler says of what it does not pass on. */
const REFUSED_OPTIONS = /unsupported startup parameter/;
/**
 * A connection that is lost while it is in use is an error of the next statement on it. It also emits an event, which
 * ends the process where there is no listener; the pool listens only to idle connections.
 */
class Connection extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

/** The same, on the server that can be written to: each connection looks which of several that is. */
function connectionTo(hosts: PostgresHosts): typeof pg.Client {
  return class extends Connection {
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
    migrations: [...tablesOf(schema).migrations],
    poolSize,
    connectTimeoutMS: OPEN_TIMEOUT_MS,
    applicationName: schema.applicationName ?? APPLICATION_NAME,
    installExtensions: false,
    // A connection that breaks while idle is replaced by the pool; requests that need it are answered with a 503.
    poolErrorHandler: () => undefined,
    extra: {
      types: postgresTypes,
      keepAlive: true,
      Client: urls.length === 1 ? Connection : connectionTo(new PostgresHosts(urls)),
      ...extra,
    },
  };
}

/** @param startup what the connections are set to; left out where a pooler refuses that. */
async function opened(url: string, schema: DatabaseSchema, size: number, startup: string): Promise<DataSource> {
  const extra = { query_timeout: size === POOL_SIZE ? DATABASE_DEADLINE_MS : undefined };
  try {
    return await initialized(postgresSourceOf(options(url, schema, size, { ...extra, options: startup })));
  } catch (error) {
    if (!(error instanceof Error && REFUSED_OPTIONS.test(error.message))) throw error;
    return initialized(postgresSourceOf(options(url, schema, size, extra)));
  }
}

/** The pool that serves requests. */
export async function postgresSource(url: string, schema: DatabaseSchema): Promise<DataSource> {
  const source = await opened(url, schema, POOL_SIZE, SERVING_OPTIONS);
  poolOf(source).options.connectionTimeoutMillis = ACQUIRE_TIMEOUT_MS;
  return source;
}

/**
 * Brings the schema up to date, and begins an epoch, over connections without time-outs, while other instances wait.
 * @returns how many migrations there were to do.
 * @throws {DatabaseNotOpenedError}
 */
export async function migratePostgres(url: string, schema: DatabaseSchema, log: StoreLog = NO_LOG): Promise<number> {
  const source = await opened(url, schema, 2, MIGRATING_OPTIONS);
  try {
    const guard = await poolOf(source).connect();
    try {
      await refuseReadOnly(guard).catch((error: unknown) => {
        throw new DatabaseNotOpenedError(error);
      });
      await lockMigrations(guard, log);
      const { length } = await source.runMigrations({ transaction: 'each' });
      await beginEpoch(source);
      await analyse(source, length > 0);
      return length;
    } finally {
      await guard.query('ROLLBACK');
      guard.release();
    }
  } finally {
    await source.destroy();
  }
}

/** Writers wait for it, so it waits for none of them: not for long. */
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
 * Locks until the end of the transaction, which a pooler leaves on one connection. Asks again and again: an instance that
 * waited within a statement would be waited for in turn, by an index that is made beside the writers.
 */
async function lockMigrations(guard: pg.PoolClient, log: StoreLog): Promise<void> {
  for (let isWaiting = false; ; isWaiting = true) {
    await guard.query(BEGIN_MIGRATING);
    // Without a parameter: the extended protocol would keep the snapshot of the statement until the next one, and an index
    // that is made beside the writers would wait for it for ever.
    const { rows } = await guard.query<{ locked: boolean }>(TAKE_MIGRATION_LOCK);
    if (rows[0]?.locked === true) return;
    await guard.query('ROLLBACK');
    if (!isWaiting) log.warn({}, 'another instance is migrating the database: this one waits until that is done');
    await sleep(MIGRATION_RETRY_MS);
  }
}
