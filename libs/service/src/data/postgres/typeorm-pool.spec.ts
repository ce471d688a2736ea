import { postgresUnderTest } from '@items/testing';
import type { DataSource } from 'typeorm';

import { EMPTY_SCHEMA } from '../testing/store-database.testing.js';
import { postgresSource } from './postgres-source.js';
import { poolOf } from './typeorm-pool.js';

const url = postgresUnderTest();

describe('The PostgreSQL pool of TypeORM', () => {
  (url === undefined ? it.skip : it)('is the pool on which TypeORM runs its own queries', async () => {
    const source = await postgresSource(String(url), EMPTY_SCHEMA);
    try {
      const before = poolOf(source).totalCount;
      await source.query('SELECT 1');
      expect(poolOf(source).totalCount).toBeGreaterThanOrEqual(Math.max(1, before));
    } finally {
      await source.destroy();
    }
    expect(() => poolOf({} as DataSource)).toThrow('has opened no pool');
  });
});
