import { setTimeout as sleep } from 'node:timers/promises';
import { Sqlite } from './sqlite.js';
import type { DataSource } from 'typeorm';
import type { DatabaseSchema } from '../database/database-options.js';
import { epochStatements } from '../schema/epochs.js';
import { NO_LOG, type StoreLog } from '../outages/store-log.js';
import { DatabaseNotOpenedError, initialized } from '../database/initialized.js';
import type { StatementListener } from '../database/slow-statements.js';
import { allMigrations, runMigrations } from '../database/migrations.js';
import { isBusy } from './sqlite-errors.js';
import { SqliteSlowReader } from './sqlite-slow-reader.js';
import { connectionOf, sqliteSourceOf } from './typeorm-connection.js';

/** A read blocks the process at most this long if another process holds the lock. */
const READ_BUSY_TIMEOUT_MS = 50;
/** A write blocks the process at most this long. Then the write queue polls. */
const WRITE_BUSY_TIMEOUT_MS = 5;
/** SQLite truncates the WAL to this size after a slow read let it grow. */
const MAX_IDLE_WAL_BYTES = 33_554_432;
const READER_CACHE_KIB = 65_536;
const SLOW_READER_CACHE_KIB = 16_384;
/** Small, because a commit scans the whole cache if an index page was split (100 µs for 64 MiB). */
const WRITER_CACHE_KIB = 16_384;
const MIGRATION_RETRY_MS = 20;
const MIGRATION_SILENCE_MS = 1000;
/** Long, because many processes may start together before clients are served. */
const OPEN_BUSY_TIMEOUT_MS = 60_000;

function sqliteSource(file: string, schema: DatabaseSchema, readonly: boolean): DataSource {
  return sqliteSourceOf(
    {
      type: 'better-sqlite3',
      driver: Sqlite,
      database: file,
      migrations: allMigrations(schema),
      readonly,
      timeout: readonly ? READ_BUSY_TIMEOUT_MS : OPEN_BUSY_TIMEOUT_MS,
    },
    (connection) => {
      if (!readonly) connection.pragma('journal_mode = WAL');
      connection.pragma('synchronous = FULL');
      // Checkpoints after 4000 pages (16 MiB), so frequently written pages reach the database file less often.
      connection.pragma('wal_autocheckpoint = 4000');
      connection.pragma(`journal_size_limit = ${String(MAX_IDLE_WAL_BYTES)}`);
      connection.pragma(`cache_size = -${String(readonly ? READER_CACHE_KIB : WRITER_CACHE_KIB)}`);
      connection.pragma('temp_store = MEMORY');
    },
  );
}

export function sqliteWriter(file: string, schema: DatabaseSchema): Promise<DataSource> {
  return initialized(sqliteSource(file, schema, false));
}

export function sqliteReader(file: string, schema: DatabaseSchema): Promise<DataSource> {
  return initialized(sqliteSource(file, schema, true));
}

export function sqliteSlowReader(file: string, listener?: StatementListener): SqliteSlowReader {
  const pragmas = [`cache_size = -${String(SLOW_READER_CACHE_KIB)}`, 'temp_store = MEMORY'];
  return new SqliteSlowReader({ file, busyTimeoutMs: READ_BUSY_TIMEOUT_MS, pragmas }, listener);
}

/**
 * Runs the migrations and begins an epoch in one transaction.
 * @throws {DatabaseNotOpenedError} Another process holds the lock too long.
 * @throws {DatabaseTooOldError}
 */
export async function migrateSqlite(writer: DataSource, log: StoreLog = NO_LOG): Promise<number> {
  return begin(writer, log, () => runMigrations(writer, 'none', log));
}

/**
 * Begins an epoch. Another process runs the migrations.
 * @throws {DatabaseNotOpenedError} As {@link migrateSqlite}.
 */
export async function beginSqlite(writer: DataSource, log: StoreLog): Promise<void> {
  await begin(writer, log, () => Promise.resolve(0));
}

async function begin(writer: DataSource, log: StoreLog, migrate: () => Promise<number>): Promise<number> {
  const connection = connectionOf(writer);
  connection.pragma(`busy_timeout = ${String(WRITE_BUSY_TIMEOUT_MS)}`);
  await lockMigrations(connection, log);
  try {
    const count = await migrate();
    for (const sql of epochStatements('sqlite')) connection.exec(sql);
    connection.exec('COMMIT');
    return count;
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

/** Polls, because SQLite's own lock timeout blocks the process. */
async function lockMigrations(connection: Sqlite, log: StoreLog): Promise<void> {
  const beganAtMs = performance.now();
  for (let isLogged = false; ;) {
    try {
      connection.exec('BEGIN IMMEDIATE');
      return;
    } catch (error) {
      const waitedMs = performance.now() - beganAtMs;
      if (!isBusy(error) || waitedMs > OPEN_BUSY_TIMEOUT_MS) throw new DatabaseNotOpenedError(error);
      if (!isLogged && waitedMs > MIGRATION_SILENCE_MS) {
        log.warn({}, 'another process is writing to the database; waiting until it is done');
        isLogged = true;
      }
    }
    await sleep(MIGRATION_RETRY_MS);
  }
}
