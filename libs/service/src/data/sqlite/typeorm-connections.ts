import type { Sqlite } from './sqlite.js';
import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';

/*
 * Documented options give access to the connections of TypeORM: `prepareDatabase` receives the one of SQLite, and
 * `driver` creates the pool of PostgreSQL.
 */

const connections = new WeakMap<DataSource, Sqlite>();
const pools = new WeakMap<DataSource, pg.Pool>();

type SqliteOptions = Extract<DataSourceOptions, { type: 'better-sqlite3' }>;
type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

/**
 * {@link connectionOf} returns the connection of this source.
 * @param prepare Called with each new connection.
 */
export function sqliteSourceOf(options: SqliteOptions, prepare: (connection: Sqlite) => void): DataSource {
  const source: DataSource = new DataSource({
    ...options,
    prepareDatabase: (connection: Sqlite) => {
      connections.set(source, connection);
      prepare(connection);
    },
  });
  return source;
}

export function postgresSourceOf(options: PostgresOptions): DataSource {
  class Pool extends pg.Pool {
    constructor(config?: pg.PoolConfig) {
      super(config);
      pools.set(source, this);
    }
  }
  const source: DataSource = new DataSource({ ...options, driver: { ...pg, Pool } });
  return source;
}

export function poolOf(source: DataSource): pg.Pool {
  const pool = pools.get(source);
  if (pool === undefined) throw new Error('TypeORM has opened no pool of PostgreSQL for this source.');
  return pool;
}

export function connectionOf(source: DataSource): Sqlite {
  const connection = connections.get(source);
  if (connection === undefined) throw new Error('TypeORM has opened no connection to SQLite for this source.');
  return connection;
}
