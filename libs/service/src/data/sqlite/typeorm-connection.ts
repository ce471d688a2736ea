import { DataSource, type DataSourceOptions } from 'typeorm';
import { SilentLogger } from '../database/silent-logger.js';
import type { Sqlite } from './sqlite.js';

/* The documented option `prepareDatabase` fills this with TypeORM's connection. */
const connections = new WeakMap<DataSource, Sqlite>();

type SqliteOptions = Extract<DataSourceOptions, { type: 'better-sqlite3' }>;

/**
 * Creates a data source. {@link connectionOf} returns its connection.
 * @param prepare Called with each new connection.
 */
export function sqliteSourceOf(options: SqliteOptions, prepare: (connection: Sqlite) => void): DataSource {
  const source: DataSource = new DataSource({
    ...options,
    logger: new SilentLogger(),
    prepareDatabase: (connection: Sqlite) => {
      connections.set(source, connection);
      prepare(connection);
    },
  });
  return source;
}

export function connectionOf(source: DataSource): Sqlite {
  const connection = connections.get(source);
  if (connection === undefined) throw new Error('TypeORM has opened no connection to SQLite for this source.');
  return connection;
}
