import { setTimeout as sleep } from 'node:timers/promises';

import { createDatabase, postgresUnderTest } from '@items/testing';
import { Client } from 'pg';

import { EMPTY_SCHEMA } from '../testing/store-database.testing.js';
import { openDatabase } from '../opening/open-database.js';

const WRITE = 'UPDATE collection_lanes SET n = n WHERE lane < 0';

(postgresUnderTest() === undefined ? describe.skip : describe)('The start of another instance', () => {
  it('makes no writer wait for a second during a transaction that has written and continues', async () => {
    const { url, drop } = await createDatabase();
    const database = await openDatabase({ dialect: 'postgres', url }, EMPTY_SCHEMA);
    const holder = new Client({ connectionString: url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query(WRITE);

    let isOpen = false;
    const other = openDatabase({ dialect: 'postgres', url }, EMPTY_SCHEMA).finally(() => (isOpen = true));
    const waits: number[] = [];
    for (const endMs = performance.now() + 2000; performance.now() < endMs; await sleep(5)) {
      const begunAtMs = performance.now();
      // The test does not wait for a write that is blocked for long.
      const written = database.query(WRITE).catch(() => undefined);
      await Promise.race([written, sleep(1500)]);
      waits.push(performance.now() - begunAtMs);
    }
    const wasOpen = isOpen;
    await holder.query('COMMIT');
    await holder.end();
    await (await other).close();
    await database.close();

    expect(wasOpen).toBe(false);
    expect(Math.max(...waits)).toBeLessThan(1000);
    // Some write has waited, but only briefly.
    expect(Math.max(...waits)).toBeGreaterThan(100);
    await drop();
  });
});
