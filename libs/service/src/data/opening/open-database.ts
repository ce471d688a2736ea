import { resolve } from 'node:path';

import { NO_LOG, type StoreLog } from '../outages/store-log.js';
import type { DatabaseConfig, DatabaseSchema } from '../database/database-options.js';
import type { Database } from '../database/database.js';
import { DatabaseNotOpenedError } from '../database/initialized.js';
import { migratePostgres } from '../postgres/postgres-source.js';
import { servingPostgres } from '../postgres/serving-postgres.js';
import { listenerOf, type Watching } from '../database/slow-statements.js';
import { SqliteDatabase } from '../sqlite/sqlite-database.js';
import { SqliteFile } from '../database/sqlite-file.js';
import { migrateSqlite, sqliteReader, sqliteSlowReader, sqliteWriter } from '../sqlite/sqlite-source.js';
import { tablesOf } from '../database/tables-of.js';

/**
 * Opens a database and runs its migrations. Several instances may do so concurrently.
 * @param log Log for new or migrated databases, outages and slow statements.
 * @param watching Statements slower than `slowMs` are logged. `observer` is called for all statements.
 * @throws {DatabaseNotOpenedError} The database does not exist or cannot be used.
 */
export async function openDatabase(
  config: DatabaseConfig,
  schema: DatabaseSchema,
  log: StoreLog = NO_LOG,
  watching: Watching = {},
): Promise<Database> {
  const { observer } = watching;
  const listener = listenerOf(log, watching);
  if (config.dialect === 'postgres') {
    tellMigrations(log, schema, await migrated(config, schema, log), 'the PostgreSQL database');
    return servingPostgres(config.url, schema, log, { listener, observer });
  }
  const writer = await sqliteWriter(config.file, schema);
  tellMigrations(log, schema, await migrateSqlite(writer, log), resolve(config.file));
  const reader = await sqliteReader(config.file, schema);
  const slowReader = sqliteSlowReader(config.file, listener);
  return new SqliteDatabase(reader, writer, slowReader, new SqliteFile(config.file), log, { listener, observer });
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

/** Logs a new database as a warning, because the operator may have configured the wrong one. */
function tellMigrations(log: StoreLog, schema: DatabaseSchema, done: number, where: string): void {
  if (done === tablesOf(schema).migrations.length) log.warn({}, `found no tables in ${where}: created them`);
  else if (done > 0) log.info({ migrations: done }, `the tables in ${where} have been brought up to date`);
}
