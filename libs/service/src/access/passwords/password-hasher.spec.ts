import { setImmediate } from 'node:timers/promises';

import { PasswordHasher } from './password-hasher.js';
import { WorkQueue } from './work-queue.js';

describe('Passwords', () => {
  const passwords = new PasswordHasher();

  it('are hashed by argon2id with 19 MiB, two passes, one lane, and a salt of their own', async () => {
    const [first, second] = [await passwords.hash('the same password'), await passwords.hash('the same password')];
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(second).not.toBe(first);
    expect(await passwords.verify(() => Promise.resolve(first), 'the same password', 'a')).toBe(true);
    expect(await passwords.verify(() => Promise.resolve(first), 'the same passwort', 'a')).toBe(false);
  });

  it('never match if there is no user', async () => {
    expect(await passwords.verify(() => Promise.resolve(undefined), '', 'a')).toBe(false);
  });

  it('wait for others of the same client, while those of another client run in between', async () => {
    const ends: string[] = [];
    const verified = (client: string): Promise<unknown> =>
      passwords.verify(() => Promise.resolve(undefined), 'x', client).finally(() => ends.push(client));
    const flood = Promise.allSettled(Array.from({ length: 100 }, () => verified('a')));
    expect(await verified('b')).toBe(false);
    expect(ends.length).toBeLessThan(6);
    await flood;
  });

  it('are hashed outside the event loop, and refused with 503 if the queue is full', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const outcomes = await Promise.allSettled(Array.from({ length: 140 }, () => passwords.hash('x')));
    clearInterval(timer);
    const refused = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.reason).toMatchObject({ status: 503, code: 'overloaded', headers: { 'retry-after': '2' } });
    expect(turns).toBeGreaterThan(100);
  });
});

describe('A work queue', () => {
  it('runs tasks concurrently up to its limit, in order, and continues after a failure', async () => {
    const queue = new WorkQueue(2, { perClient: 10, inAll: 10, waitMs: 4000 }, () => new Error('full'));
    const seen: number[] = [];
    let running = 0;
    const work = (n: number) => async (): Promise<void> => {
      running++;
      expect(running).toBeLessThanOrEqual(2);
      seen.push(n);
      await setImmediate();
      running--;
      if (n === 1) throw new Error('one fails');
    };
    const outcomes = await Promise.allSettled([0, 1, 2, 3, 4].map((n) => queue.run(work(n))));
    expect(seen).toEqual([0, 1, 2, 3, 4]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ]);
    expect(queue.isIdle).toBe(true);
  });

  it('alternates between clients, and runs the tasks of each in order', async () => {
    const queue = new WorkQueue(1, { perClient: 10, inAll: 10, waitMs: 4000 }, () => new Error('full'));
    const seen: string[] = [];
    const work = (name: string) => (): Promise<number> => Promise.resolve(seen.push(name));
    await Promise.all(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => queue.run(work(name), name.charAt(0))));
    expect(seen).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('is full for one client before it is full for all', async () => {
    const queue = new WorkQueue(1, { perClient: 2, inAll: 3, waitMs: 4000 }, () => new Error('full'));
    const outcomes = await Promise.allSettled(
      ['a', 'a', 'a', 'a', 'b', 'c'].map((name) => queue.run(() => Promise.resolve(name), name)),
    );
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([true, true, true, false, true, false]);
  });

  it('refuses tasks that waited too long, including the wait in an earlier queue', async () => {
    let nowMs = 1_000_000;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    try {
      const queue = new WorkQueue(1, { perClient: 10, inAll: 10, waitMs: 4000 }, () => new Error('late'));
      const long = async (): Promise<void> => {
        await setImmediate();
        nowMs += 3000;
      };
      const done = (): Promise<void> => Promise.resolve();
      const outcomes = await Promise.allSettled([
        queue.run(long, 'a'),
        queue.run(long, 'a'),
        queue.run(done, 'a'),
        queue.run(done, 'b'),
        queue.run(done, 'c', nowMs - 2000),
      ]);
      expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, true, false]);
      await expect(queue.run(done, 'b')).resolves.toBeUndefined();
      expect(queue.isIdle).toBe(true);
    } finally {
      clock.mockRestore();
    }
  });
});
