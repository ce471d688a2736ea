import { setTimeout as sleep } from 'node:timers/promises';

import { ServiceUnavailableError } from '@items/conventions';

import { describeOnBothDatabases } from '../testing/store-database.testing.js';
import type { Transaction } from './database.js';
import { type Origin, SYSTEM } from './origin.js';

const ADD = 'INSERT INTO settings (name, value) VALUES ($1, $2)';
const BEGINNINGS = ['transaction', 'autocommit', 'relaxedTransaction'] as const;
/** A little more than a transaction may take. */
const DEADLINE_MS = 5000;

describeOnBothDatabases('A transaction', (under) => {
  const add = (tx: Transaction, name: string): Promise<unknown> => tx.query(ADD, [name, '']);
  const names = async (like: string): Promise<string[]> => {
    const sql = 'SELECT name FROM settings WHERE name LIKE $1 ORDER BY name';
    return (await under.database.query<{ name: string }>(sql, [like])).map(({ name }) => name);
  };
  const never = (): Promise<never> => new Promise(() => undefined);

  it('treats $1 inside a literal, a quoted name or a comment as text, not as a parameter', async () => {
    const sql = `SELECT '$1' AS "$2", 'it''s $1' AS b, $1 AS c /* $2 */ -- $3`;
    expect(await under.database.query(sql, ['value'])).toEqual([{ $2: '$1', b: "it's $1", c: 'value' }]);
  });

  describe('inside another one', () => {
    it.each(BEGINNINGS.flatMap((outer) => (outer === 'autocommit' ? [] : BEGINNINGS.map((inner) => [outer, inner]))))(
      'is refused immediately, and the outer one is rolled back: %s, %s',
      async (outer, inner) => {
        const { database } = under;
        const work = database[outer as 'transaction'](async (tx) => {
          await add(tx, 'outer');
          await database[inner as 'transaction']((own) => add(own, 'inner'));
        });
        await expect(work).rejects.toThrow(/Pass the tx of the outer one/);
        expect(await names('%er')).toEqual([]);
      },
    );

    it('is refused even if it is batched, or inside a savepoint', async () => {
      const { database } = under;
      const gathered = database.gathering((tx, all: readonly string[]) =>
        Promise.all(all.map((name) => add(tx, name))),
      );
      const begin = (): Promise<unknown> => gathered('inner');
      await expect(database.transaction(begin)).rejects.toThrow(/Pass the tx/);
      await expect(database.transaction((tx) => tx.savepoint(begin))).rejects.toThrow(/Pass the tx/);
      expect(await names('inner')).toEqual([]);
    });

    it('rolls back the outer one even if the work catches the error', async () => {
      const { database } = under;
      const work = database.transaction(async (tx) => {
        await add(tx, 'outer');
        await database.transaction((own) => add(own, 'inner')).catch(() => undefined);
        return 'done';
      });
      await expect(work).rejects.toThrow(/Pass the tx/);
      const forgotten = database.transaction(async (tx) => {
        void database.transaction((own) => add(own, 'inner')).catch(() => undefined);
        await add(tx, 'outer');
      });
      await expect(forgotten).rejects.toThrow(/Pass the tx/);
      expect(await names('%er')).toEqual([]);
    });

    it('is separate if it begins after the end of the outer one that scheduled it', async () => {
      const { database } = under;
      let later: Promise<unknown> | undefined;
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      await database.transaction(async (tx) => {
        later = released.then(() => database.transaction((own) => add(own, 'later')));
        await add(tx, 'earlier');
      });
      release();
      await later;
      expect(await names('%er')).toEqual(['earlier', 'later']);
    });

    it('is permitted for another caller that shares the commit', async () => {
      const { database } = under;
      const one = database.transaction(async (tx) => {
        await sleep(20);
        await add(tx, 'beside 1');
      });
      const others = ['beside 2', 'beside 3'].map((name) => database.transaction((tx) => add(tx, name)));
      await sleep(5);
      const late = database.autocommit((tx) => add(tx, 'beside 4'));
      await Promise.all([one, ...others, late]);
      await database.transaction((tx) => tx.query("DELETE FROM settings WHERE name LIKE '%er'"));
      expect(await names('beside%')).toEqual(['beside 1', 'beside 2', 'beside 3', 'beside 4']);
    });
  });

  describe('whose work never ends', () => {
    beforeEach(() => {
      jest.useFakeTimers({
        doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'hrtime', 'Date'],
      });
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    it('is rolled back at its deadline with a 503, refuses later statements, and does not affect others', async () => {
      const { database } = under;
      let wake: () => void = () => undefined;
      const woken = new Promise<void>((resolve) => (wake = resolve));
      let hangs: () => void = () => undefined;
      const hanging = new Promise<void>((resolve) => (hangs = resolve));
      let afterwards: Promise<unknown> = Promise.resolve();
      const beside = database.transaction((tx) => add(tx, 'hung beside'));
      const hung = database.transaction((tx) => {
        afterwards = (async () => {
          await add(tx, 'hung 1');
          await tx.savepoint(async () => {
            await add(tx, 'hung 2');
            hangs();
            await woken;
          });
        })();
        return afterwards.then(never);
      });
      const expectHung = expect(hung).rejects.toBeInstanceOf(ServiceUnavailableError);
      const others = Promise.all(['a', 'b'].map((name) => database.transaction((tx) => add(tx, `hung ${name}`))));
      await hanging;
      // On SQLite, the other transactions wait for the blocked one.
      if (database.dialect === 'postgres') await Promise.all([beside, others]);
      await jest.advanceTimersByTimeAsync(DEADLINE_MS);
      await expectHung;
      await Promise.all([beside, others]);
      const late = database.transaction(async (tx) => {
        wake();
        await expect(afterwards).rejects.toThrow('The transaction has ended');
        await add(tx, 'hung late');
      });
      await late;
      expect(await names('hung%')).toEqual(['hung a', 'hung b', 'hung beside', 'hung late']);
    });

    it('has a deadline counted from the arrival of its request', async () => {
      const { database } = under;
      let hangs: () => void = () => undefined;
      const hanging = new Promise<void>((resolve) => (hangs = resolve));
      const origin = { ...SYSTEM, sinceMs: performance.now() - 3000 };
      const waited = async (tx: Transaction): Promise<never> => {
        await add(tx, 'waited');
        hangs();
        return never();
      };
      let outcome: unknown = 'none yet';
      const hung = database.transaction(waited, origin).catch((error: unknown) => (outcome = error));
      await hanging;
      await jest.advanceTimersByTimeAsync(1000);
      expect(outcome).toBe('none yet');
      await jest.advanceTimersByTimeAsync(DEADLINE_MS - 3000 - 1000);
      await hung;
      expect(outcome).toBeInstanceOf(ServiceUnavailableError);
      expect(await names('waited')).toEqual([]);
    });

    it('blocks no later transaction, even if 24 never end', async () => {
      const { database } = under;
      let left = 24;
      const hung = Array.from({ length: left }, () =>
        database.transaction(never).catch((error: unknown) => {
          left -= 1;
          return error;
        }),
      );
      while (left > 0) {
        await sleep(1);
        await jest.advanceTimersByTimeAsync(DEADLINE_MS);
      }
      for (const each of hung) expect(await each).toBeInstanceOf(ServiceUnavailableError);
      await database.transaction((tx) => add(tx, 'after all'));
      expect(await names('after all')).toEqual(['after all']);
    });
  });

  describe('whose request has waited too long', () => {
    const sinceMs = (): number => performance.now() - DEADLINE_MS;

    it.each(BEGINNINGS)('does not begin, and this is no outage: %s', async (beginning) => {
      const before = under.database.use().failures;
      const late = under.database[beginning]((tx) => add(tx, 'too late'), { ...SYSTEM, sinceMs: sinceMs() });
      await expect(late).rejects.toMatchObject({ status: 503, code: 'overloaded' });
      expect(under.database.use().failures).toBe(before);
      expect(await names('too late')).toEqual([]);
    });

    it('does not begin if it is batched with others, and does not delay them', async () => {
      const addOne = under.database.gathering(async (tx, all: readonly string[]) => {
        for (const name of all) await add(tx, name);
        return all;
      });
      const waited = (ms: number): Origin => ({ ...SYSTEM, sinceMs: performance.now() - ms });
      // The second of these requests has a little more than a second left.
      const [late, ...others] = await Promise.allSettled([
        addOne('gathered too late', waited(DEADLINE_MS)),
        addOne('gathered a', waited(3400)),
        addOne('gathered b', waited(100)),
        addOne('gathered c', SYSTEM),
      ]);
      expect(late).toMatchObject({ status: 'rejected', reason: { code: 'overloaded' } });
      expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
      expect(await names('gathered%')).toEqual(['gathered a', 'gathered b', 'gathered c']);
    });
  });

  describe('in which a statement has failed', () => {
    it('is not committed, and runs no further statement, even if its work catches the error', async () => {
      const { database } = under;
      const work = database.transaction(async (tx) => {
        await add(tx, 'failed');
        await add(tx, 'failed').catch(() => undefined);
      });
      await expect(work).rejects.toThrow(/could not be committed: .* inside tx\.savepoint/);
      const going = database.transaction(async (tx) => {
        await add(tx, 'failed');
        await tx.query('SELECT wrong').catch(() => undefined);
        await add(tx, 'failed too');
      });
      await expect(going).rejects.toThrow('could not be committed');
      expect(await names('failed%')).toEqual([]);
    });

    it('continues after the rollback of a savepoint, at any depth', async () => {
      const { database } = under;
      await database.transaction(async (tx) => {
        await add(tx, 'saved 1');
        await tx.savepoint(() => add(tx, 'saved 1')).catch(() => undefined);
        await tx.savepoint(async () => {
          await tx.savepoint(() => add(tx, 'saved 1')).catch(() => undefined);
          await add(tx, 'saved 2');
        });
        const caught = tx.savepoint(async () => {
          await add(tx, 'saved 1').catch(() => undefined);
        });
        await expect(caught).rejects.toThrow('could not be committed');
        await add(tx, 'saved 3');
      });
      expect(await names('saved%')).toEqual(['saved 1', 'saved 2', 'saved 3']);
    });

    it('does not roll back others that share its commit', async () => {
      const { database } = under;
      const bad = (tx: Transaction): Promise<unknown> => add(tx, 'one of many 1').catch(() => undefined);
      const results = await Promise.allSettled([
        database.transaction((tx) => add(tx, 'one of many 1')),
        database.transaction(async (tx) => {
          await add(tx, 'one of many 2');
          await bad(tx);
          await bad(tx);
        }),
        database.transaction((tx) => add(tx, 'one of many 3')),
      ]);
      expect(results.map(({ status }) => status).filter((status) => status === 'rejected').length).toBeLessThanOrEqual(
        1,
      );
      expect(await names('one of many%')).toEqual(expect.arrayContaining(['one of many 1', 'one of many 3']));
    });
  });

  describe('of one statement', () => {
    const addAlone = (name: string): Promise<unknown> => under.database.autocommit((tx) => add(tx, name));

    it('is rolled back without others that share its commit', async () => {
      const { database } = under;
      const results = await Promise.allSettled([
        addAlone('alone 1'),
        addAlone('alone 1'),
        database.transaction((tx) => add(tx, 'alone 2')),
        database.autocommit(() => Promise.reject(new Error('not found'))),
        addAlone('alone 3'),
      ]);
      const [one, same, ...others] = results.map(({ status }) => status);
      // On PostgreSQL either of the two may be first.
      expect([one, same].sort()).toEqual(['fulfilled', 'rejected']);
      expect(others).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await names('alone%')).toEqual(['alone 1', 'alone 2', 'alone 3']);
    });

    it('leaves nothing behind on SQLite if its second statement fails, and others can retry', async () => {
      const { database } = under;
      if (database.dialect !== 'sqlite') return;
      const results = await Promise.allSettled([
        addAlone('torn 1'),
        database.autocommit(async (tx) => {
          await add(tx, 'torn 2');
          await add(tx, 'torn 2');
        }),
        addAlone('torn 3'),
      ]);
      expect(results).toMatchObject([
        { reason: expect.any(ServiceUnavailableError) },
        { reason: { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' } },
        { reason: expect.any(ServiceUnavailableError) },
      ]);
      expect(await names('torn%')).toEqual([]);
      await addAlone('torn 4');
      expect(await names('torn%')).toEqual(['torn 4']);
    });
  });

  it('cannot be used after its end, even by work that continues', async () => {
    const { database } = under;
    let kept: Transaction | undefined;
    await database.transaction((tx) => {
      kept = tx;
      return add(tx, 'ended');
    });
    await expect(kept?.query(ADD, ['ended too', ''])).rejects.toThrow('The transaction has ended');
    await expect(kept?.savepoint(() => Promise.resolve())).rejects.toThrow('The transaction has ended');
    expect(await names('ended%')).toEqual(['ended']);
  });
});
