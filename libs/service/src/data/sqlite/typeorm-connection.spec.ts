import type { DataSource } from 'typeorm';

import { EMPTY_SCHEMA } from '../testing/store-database.testing.js';
import { sqliteWriter } from './sqlite-source.js';
import { connectionOf } from './typeorm-connection.js';

describe('The SQLite connection of TypeORM', () => {
  it('is the connection on which TypeORM runs its own queries', async () => {
    const source = await sqliteWriter(':memory:', EMPTY_SCHEMA);
    try {
      connectionOf(source).exec('CREATE TABLE probe (n int)');
      expect(await source.query('SELECT count(*) AS n FROM probe')).toEqual([{ n: 0 }]);
    } finally {
      await source.destroy();
    }
    expect(() => connectionOf({} as DataSource)).toThrow('has opened no connection');
  });
});
