import { Sqlite } from '@items/sqlite-driver';
import type BetterSqlite3 from 'better-sqlite3';
import { DataSource, type DataSourceOptions } from 'typeorm';

import { entities } from './entities.js';
import { initialized } from './initialized.js';
import { migrations } from '../migrations/index.js';

/** How long a read blocks the process for another process's lock. */
const READ_BUSY_TIMEOUT_MS = 50;
/** The same for a write: the queue waits longer, without blocking. */
const WRITE_BUSY_TIMEOUT_MS = 5;
/** While it is opened, many processes may be at the file, and nobody is served yet. */
const OPEN_BUSY_TIMEOUT_MS = 60_000;

function options(file: string, readonly: boolean): DataSourceOptions {
  return {
    type: 'better-sqlite3',
    driver: Sqlite,
    database: file,
    entities,
    migrations,
    readonly,
    timeout: readonly ? READ_BUSY_TIMEOUT_MS : OPEN_BUSY_TIMEOUT_MS,
    prepareDatabase: (connection: BetterSqlite3.Database) => {
      if (!readonly) connection.pragma('journal_mode = WAL');
      connection.pragma('synchronous = FULL');
      // 16 MiB: pages that are written again and again go to the database file once.
      connection.pragma('wal_autocheckpoint = 4000');
      connection.pragma('cache_size = -65536');
      connection.pragma('temp_store = MEMORY');
    },
  };
}

/** The connection that TypeORM opened, for prepared statements. */
export function connectionOf(source: DataSource): BetterSqlite3.Database {
  return (source.driver as unknown as { databaseConnection: BetterSqlite3.Database }).databaseConnection;
}

/** The connection that writes; makes the file, and its folder, where they are missing. */
export function sqliteWriter(file: string): Promise<DataSource> {
  return initialized(new DataSource(options(file, false)));
}

/** The connection that only reads, of a file that exists. */
export function sqliteReader(file: string): Promise<DataSource> {
  return initialized(new DataSource(options(file, true)));
}

/** Brings the schema up to date, in one transaction that other processes wait for. */
export async function migrateSqlite(writer: DataSource): Promise<void> {
  const connection = connectionOf(writer);
  connection.exec('BEGIN IMMEDIATE');
  try {
    await writer.runMigrations({ transaction: 'none' });
    connection.exec('COMMIT');
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  } finally {
    connection.pragma(`busy_timeout = ${String(WRITE_BUSY_TIMEOUT_MS)}`);
  }
}
