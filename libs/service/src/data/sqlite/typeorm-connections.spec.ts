import { postgresUnderTest } from '@items/testing';
import type { DataSource } from 'typeorm';

import { EMPTY_SCHEMA } from '../testing/store-database.testing.js';
import { postgresSource } from '../postgres/postgres-source.js';
import { sqliteWriter } from './sqlite-source.js';
import { connectionOf, poolOf } from './typeorm-connections.js';

/** One that was made past us. */
const changed = {} as DataSource;

describe('What TypeORM has opened', () => {
  it('is a connection to SQLite, the one that it uses itself', async () => {
    const source = await sqliteWriter(':memory:', EMPTY_SCHEMA);
    try {
      connectionOf(source).exec('CREATE TABLE probe (n int)');
      expect(await source.query('SELECT count(*) AS n FROM probe')).toEqual([{ n: 0 }]);
    } finally {
      await source.destroy();
    }
    expect(() => connectionOf(changed)).toThrow('has opened no connection');
  });

  const url = postgresUnderTest();
  (url === undefined ? it.skip : it)('is a pool of PostgreSQL, the one that it uses itself', async () => {
    const source = await postgresSource(String(url), EMPTY_SCHEMA);
    try {
      const before = poolOf(source).totalCount;
      await source.query('SELECT 1');
      expect(poolOf(source).totalCount).toBeGreaterThanOrEqual(Math.max(1, before));
    } finally {
      await source.destroy();
    }
    expect(() => poolOf(changed)).toThrow('has opened no pool');
  });
});
