import { setTimeout as sleep } from 'node:timers/promises';

import { Sqlite } from './sqlite.js';
import type { DataSource } from 'typeorm';

import type { DatabaseSchema } from '../database/database-options.js';
import { epochStatements } from '../schema/epochs.js';
import { NO_LOG, type StoreLog } from '../outages/store-log.js';
import { DatabaseNotOpenedError, initialized } from '../database/initialized.js';
import type { StatementListener } from '../database/slow-statements.js';
import { isBusy } from './sqlite-errors.js';
import { SqliteSlowReader } from './sqlite-slow-reader.js';
import { tablesOf } from '../database/tables-of.js';
import { connectionOf, sqliteSourceOf } from './typeorm-connections.js';

/** How long a read blocks the process for another process's lock. */
const READ_BUSY_TIMEOUT_MS = 50;
/** The same for a write: the queue waits longer, without blocking. */
const WRITE_BUSY_TIMEOUT_MS = 5;
/** Size to which the log (WAL) is cut when it begins anew. */
const MAX_IDLE_WAL_BYTES = 33_554_432;
const READER_CACHE_KIB = 65_536;
/** Of the thread for slow reads. */
const SLOW_READER_CACHE_KIB = 16_384;
/** After a page of an index was split, the commit looks at every page of the cache: with 64 MiB, that takes 100 µs. */
const WRITER_CACHE_KIB = 16_384;
/** Pause before the lock of the migrations is asked for again, in milliseconds. */
const MIGRATION_RETRY_MS = 20;
/** After so long, a process that waits for it logs that. */
const MIGRATION_SILENCE_MS = 1000;
/** While it is opened, many processes may be at the file, and no client is served yet. */
const OPEN_BUSY_TIMEOUT_MS = 60_000;

function sqliteSource(file: string, schema: DatabaseSchema, readonly: boolean): DataSource {
  return sqliteSourceOf(
    {
      type: 'better-sqlite3',
      driver: Sqlite,
      database: file,
      migrations: [...tablesOf(schema).migrations],
      readonly,
      timeout: readonly ? READ_BUSY_TIMEOUT_MS : OPEN_BUSY_TIMEOUT_MS,
    },
    (connection) => {
      if (!readonly) connection.pragma('journal_mode = WAL');
      connection.pragma('synchronous = FULL');
      // 16 MiB: pages that are written again and again go to the database file once.
      connection.pragma('wal_autocheckpoint = 4000');
      // A reader that takes long lets the log grow; it does not stay so.
      connection.pragma(`journal_size_limit = ${String(MAX_IDLE_WAL_BYTES)}`);
      connection.pragma(`cache_size = -${String(readonly ? READER_CACHE_KIB : WRITER_CACHE_KIB)}`);
      connection.pragma('temp_store = MEMORY');
    },
  );
}

/** The connection that writes; makes the file, and its folder, where they are missing. */
export function sqliteWriter(file: string, schema: DatabaseSchema): Promise<DataSource> {
  return initialized(sqliteSource(file, schema, false));
}

/** The connection that only reads, of a file that exists. */
export function sqliteReader(file: string, schema: DatabaseSchema): Promise<DataSource> {
  return initialized(sqliteSource(file, schema, true));
}

/** What reads beside the main thread. */
export function sqliteSlowReader(file: string, listener?: StatementListener): SqliteSlowReader {
  const pragmas = [`cache_size = -${String(SLOW_READER_CACHE_KIB)}`, 'temp_store = MEMORY'];
  return new SqliteSlowReader({ file, busyTimeoutMs: READ_BUSY_TIMEOUT_MS, pragmas }, listener);
}

/**
 * Brings the schema up to date, and begins an epoch, in one transaction that other processes wait for.
 * @returns how many migrations there were to do.
 * @throws {DatabaseNotOpenedError} another process does not let go of it.
 */
export async function migrateSqlite(writer: DataSource, log: StoreLog = NO_LOG): Promise<number> {
  const connection = connectionOf(writer);
  connection.pragma(`busy_timeout = ${String(WRITE_BUSY_TIMEOUT_MS)}`);
  await lockMigrations(connection, log);
  try {
    const { length } = await writer.runMigrations({ transaction: 'none' });
    for (const sql of epochStatements('sqlite')) connection.exec(sql);
    connection.exec('COMMIT');
    return length;
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

/** Not by SQLite's own time-out, which would block the process. */
async function lockMigrations(connection: Sqlite, log: StoreLog): Promise<void> {
  const beganAtMs = performance.now();
  for (let isTold = false; ;) {
    try {
      connection.exec('BEGIN IMMEDIATE');
      return;
    } catch (error) {
      const waitedMs = performance.now() - beganAtMs;
      if (!isBusy(error) || waitedMs > OPEN_BUSY_TIMEOUT_MS) throw new DatabaseNotOpenedError(error);
      if (!isTold && waitedMs > MIGRATION_SILENCE_MS) {
        log.warn({}, 'another process writes to the database: this one waits until that is done');
        isTold = true;
      }
    }
    await sleep(MIGRATION_RETRY_MS);
  }
}
