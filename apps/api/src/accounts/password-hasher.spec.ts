import { setImmediate } from 'node:timers/promises';

import { PasswordHasher } from './password-hasher.js';
import { WorkQueue } from './work-queue.js';

describe('Passwords', () => {
  const passwords = new PasswordHasher();

  it('are hashed by argon2id with 19 MiB, two passes, one lane, and a salt of their own', async () => {
    const [first, second] = [await passwords.hash('the same password'), await passwords.hash('the same password')];
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(second).not.toBe(first);
    expect(await passwords.verify(() => Promise.resolve(first), 'the same password')).toBe(true);
    expect(await passwords.verify(() => Promise.resolve(first), 'the same passwort')).toBe(false);
  });

  it('of nobody match never', async () => {
    expect(await passwords.verify(() => Promise.resolve(undefined), '')).toBe(false);
  });

  it('are hashed beside the event loop, and beyond the queue refused with 503', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const outcomes = await Promise.allSettled(Array.from({ length: 140 }, () => passwords.hash('x')));
    clearInterval(timer);
    const refused = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.reason).toMatchObject({ status: 503, code: 'overloaded', headers: { 'retry-after': '2' } });
    expect(turns).toBeGreaterThan(100);
  }, 60_000);
});

describe('A work queue', () => {
  it('runs as many at once as it may, in order, and goes on after a failure', async () => {
    const queue = new WorkQueue(2, 10, () => new Error('full'));
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
});
