import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { MemoryThrottlerStorage } from './memory-throttler-storage.js';
import { ADDRESS_QUOTA, CREDENTIAL_QUOTA } from './quota-options.js';

function heapUsedAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

describe('Quotas in memory (SPEC §8)', () => {
  it('return whole seconds, at least 1, and the time from which a request is too many', async () => {
    const storage = new MemoryThrottlerStorage();
    const hit = () => storage.increment('a', 1500, 2, 1500, ADDRESS_QUOTA);
    expect(await hit()).toEqual({ totalHits: 1, timeToExpire: 2, isBlocked: false, timeToBlockExpire: 2 });
    expect(await hit()).toMatchObject({ totalHits: 2, isBlocked: false });
    expect(await hit()).toMatchObject({ totalHits: 3, isBlocked: true });
  });

  it('last as long as stated if the clock is set back', async () => {
    jest.useFakeTimers();
    const storage = new MemoryThrottlerStorage();
    const hit = () => storage.increment('a', 60_000, 2, 60_000, CREDENTIAL_QUOTA);
    await hit();
    jest.setSystemTime(Date.now() - 7_200_000);
    expect(await hit()).toMatchObject({ totalHits: 2, timeToExpire: 60 });
    jest.advanceTimersByTime(60_000);
    expect(await hit()).toMatchObject({ totalHits: 1 });
    jest.useRealTimers();
  });

  it('take a request back only from the window that is open', async () => {
    jest.useFakeTimers();
    const storage = new MemoryThrottlerStorage(CREDENTIAL_QUOTA);
    const window = { key: 'a', windowMs: 60_000, limit: 2, quota: CREDENTIAL_QUOTA };
    const hit = () => storage.hitAll([window])[0]?.totalHits;
    storage.undoAll([window]);
    expect([hit(), hit()]).toEqual([1, 2]);
    storage.undoAll([window]);
    expect(hit()).toBe(2);
    jest.advanceTimersByTime(60_000);
    storage.undoAll([window]);
    expect([hit(), hit()]).toEqual([1, 2]);
    jest.useRealTimers();
  });

  it('never overstate how long a window lasts, for any fraction on the clock', async () => {
    const told = new Set<number>();
    for (let sevenths = 19_000; sevenths < 20_000; sevenths += 1) {
      jest.spyOn(performance, 'now').mockReturnValue(sevenths / 7);
      const storage = new MemoryThrottlerStorage();
      told.add((await storage.increment('a', 30_000, 2, 30_000, ADDRESS_QUOTA)).timeToExpire);
    }
    jest.restoreAllMocks();
    expect([...told]).toEqual([30]);
  });

  it('are bounded with a quarter of a million addresses, which evict no credential', async () => {
    const storage = new MemoryThrottlerStorage(CREDENTIAL_QUOTA);
    const before = heapUsedAfterCollection();
    await storage.increment('key', 60_000, 600, 60_000, CREDENTIAL_QUOTA);
    for (let address = 0; address < 250_000; address++) {
      void storage.increment(`10.${String(address)}/60`, 60_000, 60, 60_000, ADDRESS_QUOTA);
    }
    expect(storage.size).toBeLessThanOrEqual(100_001);
    expect((heapUsedAfterCollection() - before) / 2 ** 20).toBeLessThan(32);
    const { totalHits } = await storage.increment('key', 60_000, 600, 60_000, CREDENTIAL_QUOTA);
    expect(totalHits).toBe(2);
  });

  it('are bounded for any names without a quota of credentials', async () => {
    const storage = new MemoryThrottlerStorage();
    for (let key = 0; key < 200_000; key++) await storage.increment(String(key), 60_000, 60, 60_000, CREDENTIAL_QUOTA);
    expect(storage.size).toBeLessThanOrEqual(100_000);
  });
});
