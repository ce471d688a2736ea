import { BUSY_MS, onBothDatabases } from '@items/testing';

import { EMPTY_SCHEMA } from '../testing/store-database.testing.js';
import type { Database, ValueReader } from './database.js';
import { openDatabase } from '../opening/open-database.js';
import { IN_TIME } from './too-slow.js';

/** Runs for a minute or more. */
const ENDLESS = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000000000)
  SELECT count(*) FROM n WHERE `;

onBothDatabases<Database>(
  'Slow reads',
  (config) => openDatabase(config, EMPTY_SCHEMA),
  (under) => {
    const read = (owner: string, work: (reader: ValueReader) => Promise<unknown>, sinceMs?: number): Promise<unknown> =>
      under.database.readSlowly(owner, work, sinceMs);

    it('see all commits before they began', async () => {
      const sql = "SELECT value FROM settings WHERE name = 'slow'";
      for (const value of ['1', '2']) {
        await under.database.transaction((tx) =>
          tx.query(
            "INSERT INTO settings (name, value) VALUES ('slow', $1) ON CONFLICT (name) DO UPDATE SET value = $1",
            [value],
          ),
        );
        expect(await read('a', async (reader) => reader.readValues(sql))).toEqual([[value]]);
      }
    });

    it('read the values of parameters', async () => {
      const sql = under.database.dialect === 'sqlite' ? 'SELECT $2, $1' : 'SELECT $2::text, $1::int';
      expect(await read('a', async (reader) => reader.readValues(sql, [1, 'two']))).toEqual([['two', 1]]);
    });

    it('throw the error of the database for a statement, and continue', async () => {
      await expect(read('a', async (reader) => reader.readValues('SELECT missing FROM settings'))).rejects.toThrow(
        'missing',
      );
      expect(await read('a', async (reader) => reader.readValues('SELECT 1'))).toEqual([[1]]);
    });

    it('end within 5 s with 503 too_slow, and delay neither the main thread nor later reads', async () => {
      const beganAtMs = performance.now();
      const endless = read('a', async (reader) => reader.readValues(ENDLESS + IN_TIME[under.database.dialect]));
      const refused = expect(endless).rejects.toMatchObject({ status: 503, code: 'too_slow' });
      const light = await under.database.query('SELECT 1 AS one');
      expect(light).toEqual([{ one: 1 }]);
      expect(performance.now() - beganAtMs).toBeLessThan(BUSY_MS);
      await refused;
      expect(performance.now() - beganAtMs).toBeLessThan(4500 + BUSY_MS);
      expect(await read('a', async (reader) => reader.readValues('SELECT 1'))).toEqual([[1]]);
      expect(under.database.use()).toMatchObject({ isUp: true });
    });

    it('are no outage if the server cancels them late', async () => {
      if (under.database.dialect === 'sqlite') return;
      await under.database.query(`CREATE FUNCTION ends_late() RETURNS int LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_sleep(60); RETURN 1;
        EXCEPTION WHEN query_canceled THEN PERFORM pg_sleep(1); RAISE; END $$`);
      const arrivedAtMs = performance.now() - 3500;
      const endless = read('a', async (reader) => reader.readValues('SELECT ends_late()'), arrivedAtMs);
      await expect(endless).rejects.toMatchObject({ status: 503, code: 'too_slow' });
      expect(await read('a', async (reader) => reader.readValues('SELECT 1'))).toEqual([[1]]);
      expect(under.database.use()).toMatchObject({ isUp: true, failures: 0 });
    });

    it('have 5 s from the arrival of the request, including its wait', async () => {
      const arrivedAtMs = performance.now() - 4300;
      const endless = read(
        'a',
        async (reader) => reader.readValues(ENDLESS + IN_TIME[under.database.dialect]),
        arrivedAtMs,
      );
      await expect(endless).rejects.toMatchObject({ status: 503, code: 'too_slow' });
      expect(performance.now() - arrivedAtMs).toBeLessThan(4500 + BUSY_MS);
    });

    it('run one at a time for each user, for any number of keys', async () => {
      let [atWork, most] = [0, 0];
      const one = (fairnessKey: string): Promise<unknown> =>
        read(fairnessKey, async (reader) => {
          atWork += 1;
          most = Math.max(most, atWork);
          await reader.readValues('SELECT 1');
          atWork -= 1;
        });
      await Promise.all(['ada k1', 'ada k2', 'ada', 'ada k3', 'ada k1'].map(one));
      expect([atWork, most]).toEqual([0, 1]);
    });

    it('run one at a time for each owner', async () => {
      const atWork = { a: 0, b: 0, most: 0 };
      const one = (owner: 'a' | 'b') =>
        read(owner, async (reader) => {
          atWork[owner] += 1;
          atWork.most = Math.max(atWork.most, atWork[owner]);
          await reader.readValues('SELECT 1');
          atWork[owner] -= 1;
        });
      await Promise.all([one('a'), one('a'), one('b'), one('a'), one('b')]);
      expect(atWork).toEqual({ a: 0, b: 0, most: 1 });
    });
  },
);
