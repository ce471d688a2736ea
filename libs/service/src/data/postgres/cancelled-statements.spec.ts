import { BUSY_MS, createDatabase, postgresUnderTest } from '@items/testing';

import { EMPTY_SCHEMA } from '../testing/store-database.testing.js';
import type { Database, Transaction } from '../database/database.js';
import { SYSTEM } from '../database/origin.js';
import { openDatabase } from '../opening/open-database.js';

// A stalled machine may exceed the 500 ms between the time-outs of the server and of this process.
jest.retryTimes(2);

const describeIfServed = postgresUnderTest() === undefined ? describe.skip : describe;

describeIfServed('PostgreSQL', () => {
  let database: Database;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const created = await createDatabase();
    drop = () => created.drop();
    database = await openDatabase({ dialect: 'postgres', url: created.url }, EMPTY_SCHEMA);
  });
  afterAll(async () => {
    await database.close();
    await drop();
  });

  it.each(['autocommit', 'transaction'] as const)(
    'cancels a slow statement of a request that has waited, before this process gives up: %s',
    async (beginning) => {
      const name = `slow ${beginning}`;
      const slow = (tx: Transaction): Promise<unknown> =>
        tx.query('INSERT INTO settings (name, value) SELECT $1, pg_sleep(2)::text', [name]);
      const origin = { ...SYSTEM, sinceMs: performance.now() - 3400 };
      const connections = database.use().pool?.open;
      await expect(database[beginning](slow, origin)).rejects.toMatchObject({ cause: { code: '57014' } });
      expect(performance.now() - origin.sinceMs).toBeLessThan(4500 + BUSY_MS);
      // The connection is usable, and the server no longer runs the statement.
      expect(database.use().pool?.open).toBe(connections);
      const sql =
        "SELECT pid FROM pg_stat_activity WHERE state <> 'idle' AND query LIKE '%pg_sleep(2)::text%' AND pid <> pg_backend_pid()";
      expect(await database.query(sql)).toEqual([]);
      expect(await database.query('SELECT 1 FROM settings WHERE name = $1', [name])).toEqual([]);
    },
  );
});
