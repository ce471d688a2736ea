import { spawn, type ChildProcess } from 'node:child_process';
import { BUSY_MS } from '@items/testing';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as yieldToEventLoop, setTimeout as sleep } from 'node:timers/promises';

import { ServiceUnavailableError } from '@items/conventions';
import { Sqlite } from './sqlite.js';
import { DataSource } from 'typeorm';

import { EMPTY_SCHEMA } from '../testing/store-database.testing.js';
import type { Database, Transaction } from '../database/database.js';
import { SYSTEM } from '../database/origin.js';
import { openDatabase } from '../opening/open-database.js';

const ADD = 'INSERT INTO settings (name, value) VALUES ($1, $2)';

describe('The writer of SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'items-'));
  const file = join(folder, 'items.sqlite');
  let database: Database;

  beforeAll(async () => {
    database = await openDatabase({ dialect: 'sqlite', file }, EMPTY_SCHEMA);
  });
  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  function add(name: string): Promise<void> {
    return database.transaction(async (tx) => {
      await tx.query(ADD, [name, '']);
    });
  }

  async function names(like: string): Promise<string[]> {
    const sql = 'SELECT name FROM settings WHERE name LIKE $1 ORDER BY name';
    return (await database.query<{ name: string }>(sql, [like])).map(({ name }) => name);
  }

  it('runs a transaction that is added in the step in which the queue becomes empty', async () => {
    for (let steps = 0; steps < 12; steps++) {
      await database.transaction(() => Promise.resolve());
      for (let step = 0; step < steps; step++) await Promise.resolve();
      const late = new Promise<string>((resolve) => setTimeout(resolve, 500, 'never'));
      const done = database.transaction(() => Promise.resolve('done'));
      expect(await Promise.race([done, late])).toBe('done');
    }
  });

  it('does not begin work that has waited until its deadline', async () => {
    const begin = performance.now();
    const clock = jest.spyOn(performance, 'now');
    const first = database.transaction((tx) => {
      clock.mockReturnValue(begin + 6000);
      return tx.query(ADD, ['in time', '']);
    });
    const late = ['expired 1', 'expired 2'].map((name) => add(name).catch((error: unknown) => error));
    await first;
    const errors = await Promise.all(late);
    clock.mockRestore();
    for (const error of errors) expect(error).toBeInstanceOf(ServiceUnavailableError);
    expect(await names('expired%')).toEqual([]);
    expect(await names('in time')).toEqual(['in time']);
    await add('afterwards');
  });

  it('waits for the lock of another process until the deadline of each transaction', async () => {
    const other = new Sqlite(file);
    other.exec('BEGIN IMMEDIATE');
    const beganAtMs = performance.now();
    const origin = { ...SYSTEM, sinceMs: beganAtMs - 3400 };
    const fresh = database.transaction((tx) => tx.query(ADD, ['fresh', '']));
    const waited = database.autocommit((tx) => tx.query(ADD, ['waited', '']), origin);
    await expect(waited).rejects.toBeInstanceOf(ServiceUnavailableError);
    expect(performance.now() - beganAtMs).toBeLessThan(1100 + BUSY_MS);
    other.exec('ROLLBACK');
    other.close();
    await fresh;
    expect([await names('fresh'), await names('waited')]).toEqual([['fresh'], []]);
  });

  it('reads one snapshot during commits of another process, and then the current state', async () => {
    const other = new Sqlite(file);
    const count = (): unknown => (database.read('SELECT count(*) AS n FROM settings') as { n: number }[])[0]?.n;
    const before = count();
    const within = database.readTransaction(() => {
      const first = count();
      other.prepare("INSERT INTO settings (name, value) VALUES ('of another process', '')").run();
      return [first, count(), database.readTransaction(count)];
    });
    expect(within).toEqual([before, before, before]);
    expect(count()).toBe(Number(before) + 1);
    expect(() =>
      database.readTransaction(() => {
        count();
        throw new Error('on the way');
      }),
    ).toThrow('on the way');
    other.prepare("DELETE FROM settings WHERE name = 'of another process'").run();
    other.close();
    expect(count()).toBe(before);
  });

  it('plans a statement once for all values, even after ANALYZE', async () => {
    await database.transaction(async (tx) => {
      await tx.query('CREATE TABLE skewed (a int, b int)');
      await tx.query('CREATE INDEX skewed_a ON skewed (a)');
      await tx.query('CREATE INDEX skewed_b ON skewed (b)');
      await tx.query(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO skewed SELECT max(0, i - 1990), max(0, 10 - i) FROM n`);
      await tx.query('ANALYZE');
    });
    const planFor = (a: number, b: number): Promise<unknown[]> =>
      database.query('EXPLAIN QUERY PLAN SELECT * FROM skewed WHERE a = $1 AND b = $2', [a, b]);
    expect(await planFor(0, 5)).toEqual(await planFor(5, 0));
  });

  it('waits for the disk at each commit, except for relaxed transactions', async () => {
    // SQLite: 1 is NORMAL, 2 is FULL.
    const synchronous = async (tx: Transaction): Promise<number | undefined> =>
      (await tx.query<{ synchronous: number }>('PRAGMA synchronous'))[0]?.synchronous;
    // Both share a commit, unless the first one takes longer than 10 ms.
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    const [synced, unsynced] = [database.transaction(synchronous), database.relaxedTransaction(synchronous)];
    expect(await Promise.all([synced, unsynced])).toEqual([2, 2]);
    clock.mockRestore();
    for (let n = 0; n < 2; n += 1) {
      expect(await database.relaxedTransaction(synchronous)).toBe(1);
      expect(await database.transaction(synchronous)).toBe(2);
    }
    await database.relaxedTransaction((tx) => tx.query(ADD, ['unsynced', '']));
    expect(await names('unsynced')).toEqual(['unsynced']);
  });

  it('shrinks a WAL that grew during a slow read', async () => {
    const reader = new Sqlite(file, { readonly: true });
    reader.exec('BEGIN; SELECT * FROM settings');
    const value = 'x'.repeat(1024 * 1024);
    for (let n = 0; n < 40; n += 1) await database.transaction((tx) => tx.query(ADD, [`large ${String(n)}`, value]));
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(40 * 1024 * 1024);
    reader.exec('COMMIT');
    reader.close();
    await database.transaction((tx) => tx.query("DELETE FROM settings WHERE name LIKE 'large %'"));
    await add('small');
    expect(statSync(`${file}-wal`).size).toBeLessThanOrEqual(32 * 1024 * 1024);
  });

  describe('retains the writes of a request while a concurrent one rolls back', () => {
    it('unlike the single connection that TypeORM shares among all requests', async () => {
      const shared = await new DataSource({
        type: 'better-sqlite3',
        driver: Sqlite,
        database: join(folder, 'shared.sqlite'),
      }).initialize();
      await shared.query('CREATE TABLE settings (name text, value text)');
      await shared
        .transaction(async (manager) => {
          await manager.query('SELECT 1');
          // A write of another request at the same time.
          await shared.query("INSERT INTO settings (name, value) VALUES ('lost', '')");
          throw new Error('undone');
        })
        .catch(() => undefined);
      expect(await shared.query('SELECT name FROM settings')).toEqual([]);
      await shared.destroy();
    });

    it('because its transactions run one after the other', async () => {
      const rolledBack = database.transaction(async (tx) => {
        await tx.query(ADD, ['kept undone', '']);
        await yieldToEventLoop();
        throw new Error('undone');
      });
      const kept = add('kept');
      await expect(rolledBack).rejects.toThrow('undone');
      await kept;
      expect(await names('kept%')).toEqual(['kept']);
    });
  });

  describe('commits waiting transactions together', () => {
    it('responds only after the commit', async () => {
      const other = await openDatabase({ dialect: 'sqlite', file }, EMPTY_SCHEMA);
      const seen = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          await add(`group ${String(index)}`);
          return other.query('SELECT 1 FROM settings WHERE name = $1', [`group ${String(index)}`]);
        }),
      );
      expect(seen.every((rows) => rows.length === 1)).toBe(true);
      await other.close();
    });

    it('commits early if the work takes long, and other requests run in between', async () => {
      let turns = 0;
      let answered = 0;
      let isOver = false;
      const count = (): void => {
        turns += 1;
        if (!isOver) setImmediate(count);
      };
      const seen: number[] = [];
      const before: number[] = [];
      const work = async (tx: Transaction): Promise<void> => {
        seen.push(turns);
        before.push(answered);
        for (const endMs = performance.now() + 11; performance.now() < endMs;);
        await tx.query(ADD, [`long ${String(seen.length)}`, '']);
      };
      count();
      await Promise.all(Array.from({ length: 5 }, () => database.transaction(work).then(() => (answered += 1))));
      isOver = true;
      expect(before).toEqual([0, 1, 2, 3, 4]);
      expect(new Set(seen).size).toBe(5);
      expect(await names('long %')).toHaveLength(5);
    });

    it('rolls back only the failed one', async () => {
      const results = await Promise.allSettled([add('one'), add('one'), add('one b')]);
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await names('one%')).toEqual(['one', 'one b']);
    });

    it('rolls back work that fails before or after its write, and runs the others once', async () => {
      const failing = (name: string, error: string): Promise<void> =>
        database.transaction(async (tx) => {
          if (name !== '') await tx.query(ADD, [name, '']);
          throw new Error(error);
        });
      const jobs = [add('two a'), failing('', 'before'), add('two b'), failing('two x', 'after'), add('two c')];
      const results = await Promise.allSettled(jobs);
      expect(results.map((result) => (result.status === 'fulfilled' ? '' : String(result.reason)))).toEqual([
        '',
        'Error: before',
        '',
        'Error: after',
        '',
      ]);
      expect(await names('two%')).toEqual(['two a', 'two b', 'two c']);
    });

    /** Is refused because of a row that a transaction in the same group has added. */
    function refuseIfAdded(name: string): Promise<void> {
      return database.transaction(async (tx) => {
        const found = await tx.query('SELECT 1 FROM settings WHERE name = $1', [name]);
        throw new Error(`found ${String(found.length)}`);
      });
    }

    it('refuses one that has read the change of another only when the change is visible', async () => {
      const other = await openDatabase({ dialect: 'sqlite', file }, EMPTY_SCHEMA);
      const added = add('read');
      const seen = refuseIfAdded('read').catch(async (error: unknown) => {
        const visible = await other.query('SELECT 1 FROM settings WHERE name = $1', ['read']);
        return [String(error), visible.length];
      });
      await Promise.all([added, database.transaction(() => yieldToEventLoop())]);
      expect(await seen).toEqual(['Error: found 1', 1]);
      await other.close();
    });

    it('fails one that has read the change of another if the change is not committed', async () => {
      await database.transaction(async (tx) => {
        await tx.query('CREATE TABLE parents (id integer PRIMARY KEY)');
        await tx.query('CREATE TABLE children (id integer REFERENCES parents DEFERRABLE INITIALLY DEFERRED)');
      });
      const uncommitted = database.transaction(async (tx) => {
        await tx.query(ADD, ['lost', '']);
        await tx.query('INSERT INTO children VALUES (1)');
      });
      const results = await Promise.allSettled([uncommitted, refuseIfAdded('lost')]);
      const reasons = results.map((result) => (result.status === 'fulfilled' ? '' : String(result.reason)));
      expect(reasons[1]).not.toContain('found');
      expect(reasons[1]).toBe(reasons[0]);
      expect(await names('lost')).toEqual([]);
    });

    it('a savepoint of one transaction rolls back nothing else', async () => {
      await database.transaction(async (tx) => {
        await tx.query(ADD, ['point 1', '']);
        await expect(
          tx.savepoint(async () => {
            await tx.query(ADD, ['point 2', '']);
            throw new Error('undone');
          }),
        ).rejects.toThrow('undone');
        await tx.query(ADD, ['point 3', '']);
      });
      expect(await names('point%')).toEqual(['point 1', 'point 3']);
    });
  });

  describe('while another process holds the write lock', () => {
    let holder: ChildProcess;
    beforeAll(async () => {
      const script = `const db = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(file)});
        db.exec('BEGIN IMMEDIATE'); console.log('held'); setInterval(() => {}, 1000);`;
      holder = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
      await once(holder.stdout!, 'data');
    });

    it('returns 503 within five seconds, while reads are served, and serves again as soon as the lock is free', async () => {
      const begunAt = performance.now();
      let longestPauseMs = 0;
      let lastAt = begunAt;
      const ticking = setInterval(() => {
        longestPauseMs = Math.max(longestPauseMs, performance.now() - lastAt);
        lastAt = performance.now();
      }, 5);
      const waiting = Promise.allSettled([add('locked'), add('locked too')]);
      expect(await names('kept')).toEqual(['kept']);
      const results = await waiting;
      clearInterval(ticking);
      expect(performance.now() - begunAt).toBeLessThan(5000 + BUSY_MS);
      expect(results.map((result) => result.status === 'rejected' && (result.reason as Error).constructor)).toEqual([
        ServiceUnavailableError,
        ServiceUnavailableError,
      ]);
      // SQLite's own timeouts would block the event loop.
      expect(longestPauseMs).toBeLessThan(BUSY_MS);

      const late = add('late');
      await sleep(100);
      holder.kill('SIGKILL');
      await late;
      expect(await names('la%')).toEqual(['late']);
    });
  });
});
