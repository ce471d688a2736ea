import { setTimeout as sleep } from 'node:timers/promises';

import { FairExecutor } from './fair-executor.js';

const LATE = new Error('too late');

/** Creates work that ends on request. */
function tasks(executor: FairExecutor) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    run: (name: string, leftMs = 60_000): Promise<string> =>
      executor.run(name.replace(/^(.)([A-Z]?).*/, '$1 $2').trim(), performance.now() + leftMs, async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        return name;
      }),
    end: async (name: string): Promise<void> => {
      ends.get(name)?.();
      await sleep(0);
    },
  };
}

describe('Expensive work', () => {
  it('runs concurrently up to the limit, one task per owner', async () => {
    const { begun, run, end } = tasks(new FairExecutor(2, () => LATE));
    const all = ['a1', 'a2', 'b1', 'c1'].map((name) => run(name));
    expect(begun).toEqual(['a1', 'b1']);
    await end('b1');
    expect(begun).toEqual(['a1', 'b1', 'c1']);
    await end('c1');
    expect(begun).toEqual(['a1', 'b1', 'c1']);
    await end('a1');
    await end('a2');
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b1', 'c1']);
  });

  it('alternates between users, for any number of waiting tasks of one user', async () => {
    const { begun, run, end } = tasks(new FairExecutor(1, () => LATE));
    const all = ['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => run(name));
    for (let at = 0; at < all.length; at += 1) await end(begun[at] ?? '');
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
    await Promise.all(all);
  });

  it('runs one task at a time per user, for any number of keys: logins first, then keys in turn', async () => {
    const { begun, run, end } = tasks(new FairExecutor(2, () => LATE));
    const all = ['aK1', 'aK2', 'aK3', 'aL4', 'a5', 'b6'].map((name) => run(name));
    expect(begun).toEqual(['aK1', 'b6']);
    await end('b6');
    for (const name of ['aK1', 'a5', 'aL4', 'aK2', 'aK3']) await end(name);
    expect(begun).toEqual(['aK1', 'b6', 'a5', 'aL4', 'aK2', 'aK3']);
    await Promise.all(all);
  });

  it('is refused at the deadline, waiting or running; a running task frees its slot when it has ended', async () => {
    const { begun, run, end } = tasks(new FairExecutor(1, () => LATE));
    const working = run('a1', 20);
    const waiting = run('b1', 20);
    const next = run('c1');
    await expect(working).rejects.toBe(LATE);
    await expect(waiting).rejects.toBe(LATE);
    expect(begun).toEqual(['a1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'c1']);
    await end('c1');
    expect(await next).toBe('c1');
  });

  it('frees its slot if it fails', async () => {
    const executor = new FairExecutor(1, () => LATE);
    const failed = executor.run('a', performance.now() + 1000, () => Promise.reject(new Error('broken')));
    await expect(failed).rejects.toThrow('broken');
    expect(await executor.run('a', performance.now() + 1000, () => Promise.resolve('done'))).toBe('done');
  });
});
