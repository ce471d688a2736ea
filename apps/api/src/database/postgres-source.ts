import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';

import { DATABASE_DEADLINE_MS } from './database-unavailable.js';
import { entities } from './entities.js';
import { initialized } from './initialized.js';
import { migrations } from '../migrations/index.js';

/** Connections of one process. */
const POOL_SIZE = 16;
/** Longest wait for a free connection, in milliseconds. */
const ACQUIRE_TIMEOUT_MS = 2000;
/** Longest statement, in milliseconds. */
const STATEMENT_TIMEOUT_MS = 4000;
/** Longest pause within a transaction, in milliseconds: a stuck process must not hold a lane. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;
/** Name of the advisory lock under which one instance at a time migrates. */
const MIGRATION_LOCK = 0x17e_5eed;
/** Pause before the migration lock is asked for again, in milliseconds. */
const MIGRATION_RETRY_MS = 100;
/**
 * Every statement of the service has an index that serves it in order, whatever its parameters are. So a plan is made
 * once a connection, instead of anew for each request (0.4 ms), and is not led astray by statistics of a young table.
 */
const PLANNER = [
  'plan_cache_mode=force_generic_plan',
  'enable_seqscan=off',
  'enable_bitmapscan=off',
  'max_parallel_workers_per_gather=0',
  'jit=off',
]
  .map((setting) => `-c ${setting}`)
  .join(' ');
const INT8_OID = pg.types.builtins.INT8;

/** Counters, times and money are far below 2^53: as numbers they are exact. */
const types = {
  getTypeParser: ((oid: Parameters<typeof pg.types.getTypeParser>[0], format?: 'text' | 'binary') =>
    oid === INT8_OID ? Number : (pg.types.getTypeParser(oid, format) as unknown)) as typeof pg.types.getTypeParser,
};

/**
 * A connection that is lost while somebody holds it is an error of the next thing that he asks of it. It also emits an
 * event, which ends the process where nobody listens; the pool listens only to connections that nobody holds.
 */
class Connection extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

function options(url: string, poolSize: number, extra: pg.PoolConfig): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    entities,
    migrations,
    poolSize,
    connectTimeoutMS: ACQUIRE_TIMEOUT_MS,
    applicationName: 'items',
    installExtensions: false,
    // A connection that breaks while idle is replaced by the pool; requests that need it are answered with a 503.
    poolErrorHandler: () => undefined,
    extra: { types, keepAlive: true, Client: Connection, ...extra },
  };
}

/** The pool that serves requests. */
export function postgresSource(url: string): Promise<DataSource> {
  return initialized(
    new DataSource(
      options(url, POOL_SIZE, {
        statement_timeout: STATEMENT_TIMEOUT_MS,
        query_timeout: DATABASE_DEADLINE_MS,
        idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
        options: PLANNER,
      }),
    ),
  );
}

/** The pool that TypeORM opened, for prepared statements. */
export function poolOf(source: DataSource): pg.Pool {
  return (source.driver as unknown as { master: pg.Pool }).master;
}

/** Brings the schema up to date, over connections without time-outs, while other instances wait. */
export async function migratePostgres(url: string): Promise<void> {
  const source = await initialized(new DataSource(options(url, 2, {})));
  try {
    const guard = await poolOf(source).connect();
    try {
      await lockMigrations(guard);
      await source.runMigrations({ transaction: 'each' });
    } finally {
      await guard.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
      guard.release();
    }
  } finally {
    await source.destroy();
  }
}

/**
 * Asks again and again: an instance that waited within a statement would be waited for in turn, by an index that is
 * made beside the writers.
 */
async function lockMigrations(guard: pg.PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await guard.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
      MIGRATION_LOCK,
    ]);
    if (rows[0]?.locked === true) return;
    await sleep(MIGRATION_RETRY_MS);
  }
}
