import type { DatabaseSchema } from '../../data/database/database-options.js';
import { migrateSqlite, sqliteWriter } from '../../data/sqlite/sqlite-source.js';
import { Sqlite, type SqliteOptions } from '../../data/sqlite/sqlite.js';
import { connectionOf } from '../../data/sqlite/typeorm-connection.js';
import { isOutside, isSqliteDamage, OperationError } from './operation-error.js';

/** @param file must exist. */
export async function withSqlite<T>(
  file: string,
  options: SqliteOptions,
  work: (database: Sqlite) => T | Promise<T>,
): Promise<T> {
  const database = new Sqlite(file, { fileMustExist: true, ...options });
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

export async function withMigratedSqlite<T>(
  file: string,
  schema: DatabaseSchema,
  work: (database: Sqlite) => T | Promise<T>,
): Promise<T> {
  const writer = await sqliteWriter(file, schema);
  try {
    await migrateSqlite(writer);
    return await work(connectionOf(writer));
  } finally {
    await writer.destroy();
  }
}

/**
 * Opens a database, and locks it against all other processes until it is closed.
 * @returns undefined if the first page is damaged: no program can use the database.
 * @throws {OperationError} the database is in use.
 */
export function holdAlone(file: string): Sqlite | undefined {
  const database = new Sqlite(file, { timeout: 0 });
  try {
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE; COMMIT');
    return database;
  } catch (error) {
    database.close();
    if (isSqliteDamage(error)) return undefined;
    if (!isOutside(error) || !error.code.startsWith('SQLITE_BUSY')) throw error;
    throw new OperationError(`The database ${file} is in use: stop the service first.`, error);
  }
}

export function migrationsOf(database: Sqlite): string[] {
  const rows = database.prepare<[], { name: string }>('SELECT name FROM migrations ORDER BY timestamp').all();
  return rows.map(({ name }) => name);
}

export function tableNames(database: Sqlite): string[] {
  const sql =
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name";
  const rows = database.prepare<[], { name: string }>(sql).all();
  return rows.map(({ name }) => name);
}
