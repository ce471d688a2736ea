import type { Config } from '../config/config.js';
import type { Database } from './database.js';
import { PostgresDatabase } from './postgres-database.js';
import { migratePostgres, postgresSource } from './postgres-source.js';
import { SqliteDatabase } from './sqlite-database.js';
import { migrateSqlite, sqliteReader, sqliteWriter } from './sqlite-source.js';

/**
 * Opens the configured database with its schema up to date; many instances may do so at once.
 * @throws {ConfigError} where there is no such database, or it cannot be used.
 */
export async function openDatabase(config: Config['database']): Promise<Database> {
  if (config.dialect === 'postgres') {
    await migratePostgres(config.url);
    return new PostgresDatabase(await postgresSource(config.url));
  }
  const writer = await sqliteWriter(config.file);
  await migrateSqlite(writer);
  return new SqliteDatabase(await sqliteReader(config.file), writer);
}
