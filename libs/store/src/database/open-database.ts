import { resolve } from 'node:path';

import { NO_LOG, type StoreLog } from '../outages/store-log.js';
import type { DatabaseObserver } from './database-observer.js';
import type { DatabaseConfig, DatabaseSchema } from './database-options.js';
import type { Database } from './database.js';
import { DatabaseNotOpenedError } from './initialized.js';
import { PostgresDatabase } from './postgres-database.js';
import { isSetToServe } from './postgres-settings.js';
import { migratePostgres, postgresSource } from './postgres-source.js';
import { requirePreparedStatements } from './prepared-statements.js';
import { slowStatements, type StatementListener } from './slow-statements.js';
import { SqliteDatabase } from './sqlite-database.js';
import { SqliteFile } from './sqlite-file.js';
import { migrateSqlite, sqliteReader, sqliteWriter } from './sqlite-source.js';
import { tablesOf } from './tables-of.js';
import { poolOf } from './typeorm-connections.js';

/** Who hears of statements. */
export interface Watching {
  /** Milliseconds; no statement is slow where it is left out. */
  readonly slowMs?: number | undefined;
  readonly observer?: DatabaseObserver | undefined;
}

/**
 * Opens a database with its schema up to date; many instances may do so at once.
 * @param log hears of a database that is new or was migrated, of one that is down, and of slow statements.
 * @param watching a statement that takes longer than `slowMs` is told to the log; `observer` hears of all.
 * @throws {DatabaseNotOpenedError} where there is no such database, or it cannot be used.
 */
export async function openDatabase(
  config: DatabaseConfig,
  schema: DatabaseSchema,
  log: StoreLog = NO_LOG,
  { slowMs = Infinity, observer }: Watching = {},
): Promise<Database> {
  const onStatement = both(slowStatements(log, slowMs), observer?.onStatement);
  if (config.dialect === 'postgres') {
    tellMigrations(log, schema, await migrated(config, schema, log), 'the PostgreSQL database');
    const source = await postgresSource(config.url, schema);
    await requirePreparedStatements(poolOf(source));
    const isSet = await isSetToServe(poolOf(source));
    if (!isSet) log.warn({}, 'a pooler leaves out what connections are set to: each read sets it in a transaction');
    return new PostgresDatabase(source, log, {
      onStatement,
      observer,
      settings: isSet ? 'session' : 'transaction',
    });
  }
  const writer = await sqliteWriter(config.file, schema);
  tellMigrations(log, schema, await migrateSqlite(writer, log), resolve(config.file));
  const reader = await sqliteReader(config.file, schema);
  return new SqliteDatabase(reader, writer, new SqliteFile(config.file), log, { onStatement, observer });
}

function both(first: StatementListener, second: StatementListener | undefined): StatementListener {
  if (second === undefined) return first;
  return (sql, beganAtMs) => {
    first(sql, beganAtMs);
    second(sql, beganAtMs);
  };
}

async function migrated(
  { url, migrationUrl }: Extract<DatabaseConfig, { dialect: 'postgres' }>,
  schema: DatabaseSchema,
  log: StoreLog,
): Promise<number> {
  try {
    return await migratePostgres(migrationUrl ?? url, schema, log);
  } catch (error) {
    if (error instanceof DatabaseNotOpenedError) error.isOfMigrations = migrationUrl !== undefined;
    throw error;
  }
}

/** Who has named the wrong file or database finds nothing in it: they are to see why. */
function tellMigrations(log: StoreLog, schema: DatabaseSchema, done: number, where: string): void {
  if (done === tablesOf(schema).migrations.length)
    log.warn({}, `there were no tables in ${where}: they have been made`);
  else if (done > 0) log.info({ migrations: done }, `the tables in ${where} have been brought up to date`);
}
