import { resolve } from 'node:path';
import type { DataSource } from 'typeorm';
import { NO_LOG, type StoreLog } from '../outages/store-log.js';
import type { DatabaseConfig, DatabaseSchema } from '../database/database-options.js';
import type { Database } from '../database/database.js';
import { DatabaseNotOpenedError } from '../database/initialized.js';
import { beginPostgres, migratePostgres } from '../postgres/postgres-source.js';
import { servingPostgres } from '../postgres/serving-postgres.js';
import { listenerOf, type Watching } from '../database/slow-statements.js';
import { SqliteDatabase } from '../sqlite/sqlite-database.js';
import { SqliteFile } from '../database/sqlite-file.js';
import { beginSqlite, migrateSqlite, sqliteReader, sqliteSlowReader, sqliteWriter } from '../sqlite/sqlite-source.js';
import { allMigrations } from '../database/migrations.js';
import { requireMigrated } from './pending-migrations.js';

/**
 * Runs the migrations, except with `isMigratedElsewhere`, and opens the database. Instances may start concurrently.
 * @throws {DatabaseNotOpenedError}
 * @throws {PendingMigrationsError} With `isMigratedElsewhere`, migrations are pending.
 */
export async function openDatabase(
  config: DatabaseConfig,
  schema: DatabaseSchema,
  log: StoreLog = NO_LOG,
  watching: Watching = {},
): Promise<Database> {
  const { observer } = watching;
  const { isMigratedElsewhere: isMigrated = false } = config;
  if (isMigrated) await requireMigrated(config, schema);
  const listener = listenerOf(log, watching);
  if (config.dialect === 'postgres') {
    if (isMigrated) await beginPostgres(config.url, schema);
    else await migrateDatabase(config, schema, log);
    return servingPostgres(config.url, schema, log, { listener, observer });
  }
  const writer = await sqliteWriter(config.file, schema);
  if (isMigrated) await beginSqlite(writer, log);
  else await migrateWriter(writer, config.file, schema, log);
  const reader = await sqliteReader(config.file, schema);
  const slowReader = sqliteSlowReader(config.file, listener);
  return new SqliteDatabase(reader, writer, slowReader, new SqliteFile(config.file), log, { listener, observer });
}

/** @returns Number of migrations that ran. */
export async function migrateDatabase(config: DatabaseConfig, schema: DatabaseSchema, log: StoreLog): Promise<number> {
  if (config.dialect === 'postgres') {
    const { url, migrationUrl } = config;
    const done = await migratePostgres(migrationUrl ?? url, schema, log).catch((error: unknown) => {
      if (error instanceof DatabaseNotOpenedError) error.isOfMigrations = migrationUrl !== undefined;
      throw error;
    });
    reportMigrations(log, schema, done, 'the PostgreSQL database');
    return done;
  }
  const writer = await sqliteWriter(config.file, schema);
  try {
    return await migrateWriter(writer, config.file, schema, log);
  } finally {
    await writer.destroy();
  }
}

async function migrateWriter(writer: DataSource, file: string, schema: DatabaseSchema, log: StoreLog): Promise<number> {
  const done = await migrateSqlite(writer, log);
  reportMigrations(log, schema, done, resolve(file));
  return done;
}

/** Warns if the database was empty, because the operator may have configured a wrong database. */
function reportMigrations(log: StoreLog, schema: DatabaseSchema, done: number, where: string): void {
  if (done === allMigrations(schema).length) log.warn({}, `found no tables in ${where}: created them`);
  else if (done > 0) log.info({ migrations: done }, `updated the tables in ${where}`);
}
