import { onBothDatabases } from '@items/testing';

import type { Database } from '../database/database.js';
import { withFairnessKey } from '../fairness/fairness-key.js';
import { openDatabase } from '../opening/open-database.js';
import { EMPTY_SCHEMA } from '../testing/store-database.testing.js';

const STATEMENTS = 64;

onBothDatabases<Database>(
  'Statements of requests',
  (config) => openDatabase(config, EMPTY_SCHEMA),
  (under) => {
    it('wait for no statements of another user, for any number of keys', async () => {
      const { database } = under;
      const slow = database.dialect === 'postgres' ? 'SELECT pg_sleep(0.2)' : 'SELECT 1';
      const ended: string[] = [];
      const run = async (fairnessKey: string, sql: string): Promise<void> => {
        await withFairnessKey(
          () => fairnessKey,
          () => database.query(sql),
        );
        ended.push(fairnessKey);
      };
      // Opens the connections first, because on a busy machine that takes longer than a slow statement.
      await Promise.all(Array.from({ length: 16 }, (_, n) => run(`user ${String(n)}`, slow)));
      ended.length = 0;
      const all = Array.from({ length: STATEMENTS }, (_, n) => run(`ada k${String(n)}`, slow));
      all.push(run('ada', slow), run('bob', 'SELECT 1'));
      await Promise.all(all);
      expect(ended).toHaveLength(STATEMENTS + 2);
      if (database.dialect === 'sqlite') return;
      // Ada leaves some connections of the pool to others, and her login precedes the waiting keys.
      expect(ended.indexOf('bob')).toBe(0);
      expect(ended.indexOf('ada')).toBeLessThan(2 * 16);
    });

    it('wait in the order of users, not of arrival, if all connections are in use', async () => {
      const { database } = under;
      if (database.dialect === 'sqlite') return;
      const ended: string[] = [];
      const run = async (fairnessKey: string): Promise<void> => {
        await withFairnessKey(
          () => fairnessKey,
          () => database.query('SELECT pg_sleep(0.1)'),
        );
        ended.push(fairnessKey);
      };
      const keys = ['ada k1', 'eve k1'].flatMap((key) => Array.from({ length: 24 }, () => run(key)));
      await Promise.all([...keys, run('bob')]);
      expect(ended.indexOf('bob')).toBeLessThan(2 * 16 + 1);
    });
  },
);
