import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { SilentLogger } from '../database/silent-logger.js';

/* Filled by the class that the documented option `driver` passes to TypeORM. */
const pools = new WeakMap<DataSource, pg.Pool>();

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

/** Creates a data source. {@link poolOf} returns its pool. */
export function postgresSourceOf(options: PostgresOptions): DataSource {
  class Pool extends pg.Pool {
    constructor(config?: pg.PoolConfig) {
      super(config);
      pools.set(source, this);
    }
  }
  const source: DataSource = new DataSource({ ...options, driver: { ...pg, Pool }, logger: new SilentLogger() });
  return source;
}

export function poolOf(source: DataSource): pg.Pool {
  const pool = pools.get(source);
  if (pool === undefined) throw new Error('TypeORM has opened no pool of PostgreSQL for this source.');
  return pool;
}
