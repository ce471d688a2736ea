import { AsyncLocalStorage } from 'node:async_hooks';

import { onBothDatabases } from '@items/testing';

import { EMPTY_SCHEMA } from '../testing/store-database.testing.js';
import type { Database } from './database.js';
import type { DatabaseObserver } from './database-observer.js';
import { openDatabase } from '../opening/open-database.js';

const caller = new AsyncLocalStorage<string>();
const heard: [caller: string | undefined, what: string][] = [];

const observer: DatabaseObserver = {
  onStatement: (sql) => heard.push([caller.getStore(), sql]),
  onCommit: () => heard.push([caller.getStore(), 'commit']),
  bind: <Work extends (...args: never[]) => unknown>(work: Work): Work => {
    const inContext = AsyncLocalStorage.snapshot();
    return ((...args: never[]) => inContext(() => work(...args))) as Work;
  },
};

onBothDatabases(
  'An observer is notified of each statement and commit in the context of its caller',
  (config): Promise<Database> => openDatabase(config, EMPTY_SCHEMA, undefined, { observer }),
  (under) => {
    it('transactions that share a commit are observed in the context of their callers', async () => {
      heard.length = 0;
      const names = ['ada', 'bob', 'eve'];
      await Promise.all(
        names.map((name) =>
          caller.run(name, () => under.database.transaction((tx) => tx.query(`SELECT '${name}' AS name`))),
        ),
      );
      for (const name of names) {
        const own = heard.filter(([by]) => by === name).map(([, what]) => what);
        expect(own.filter((what) => !/^(BEGIN|COMMIT|SAVEPOINT|RELEASE)/.test(what))).toEqual([
          `SELECT '${name}' AS name`,
          'commit',
        ]);
      }
    });

    it('batched statements are observed in the context of each caller', async () => {
      heard.length = 0;
      const named = under.database.gathering(async (tx, names: readonly string[]) => {
        const rows = await tx.query<{ names: string }>(`SELECT '${names.join()}' AS names`);
        return names.map((name) => rows[0]?.names.includes(name));
      });
      const names = ['ada', 'bob', 'eve'];
      const results = await Promise.all(names.map((name) => caller.run(name, () => named(name))));
      expect(results).toEqual([true, true, true]);
      for (const name of names) {
        const own = heard.filter(([by, what]) => by === name && what.startsWith('SELECT'));
        expect(own).toHaveLength(1);
        expect(own[0]?.[1]).toContain(name);
      }
    });

    it('a transaction that was rolled back has no commit', async () => {
      heard.length = 0;
      const undone = under.database.transaction(() => Promise.reject(new Error('undone')));
      await expect(undone).rejects.toThrow('undone');
      expect(heard.map(([, what]) => what)).not.toContain('commit');
    });
  },
);
