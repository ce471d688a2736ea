import type BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/*
 * What TypeORM has opened is reached through members of its drivers that are declared, as `any`, and not documented. They
 * are read here alone, as seen in TypeORM 1.1.1.
 */

/** The pool that TypeORM opened, for prepared statements. @throws {Error} where another TypeORM keeps it elsewhere. */
export function poolOf(source: DataSource): pg.Pool {
  const pool: unknown = (source.driver as PostgresDriver).master;
  if (pool instanceof pg.Pool) return pool;
  throw new Error('This version of TypeORM does not keep its pool of PostgreSQL in `driver.master`.');
}

/** The connection that TypeORM opened, for prepared statements. @throws {Error} where another TypeORM keeps it elsewhere. */
export function connectionOf(source: DataSource): BetterSqlite3.Database {
  const connection: unknown = (source.driver as BetterSqlite3Driver).databaseConnection;
  if (isSqlite(connection)) return connection;
  throw new Error('This version of TypeORM does not keep its connection to SQLite in `driver.databaseConnection`.');
}

/** Not by `instanceof`: there are two versions of the driver, one for each range of Node. */
function isSqlite(connection: unknown): connection is BetterSqlite3.Database {
  return typeof connection === 'object' && connection !== null && 'inTransaction' in connection;
}
