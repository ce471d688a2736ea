import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { MemoryThrottlerStorage } from './memory-throttler-storage.js';
import { ADDRESS_QUOTA, CREDENTIAL_QUOTA } from './quota-names.js';

function heapUsedAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

describe('Quotas in memory (specification §8)', () => {
  it('answer with whole seconds, at least 1, and say from when on a request is too many', async () => {
    const storage = new MemoryThrottlerStorage();
    const hit = () => storage.increment('a', 1500, 2, 1500, ADDRESS_QUOTA);
    expect(await hit()).toEqual({ totalHits: 1, timeToExpire: 2, isBlocked: false, timeToBlockExpire: 2 });
    expect(await hit()).toMatchObject({ totalHits: 2, isBlocked: false });
    expect(await hit()).toMatchObject({ totalHits: 3, isBlocked: true });
  });

  it('are bounded with a million addresses, which push out no credential', async () => {
    const storage = new MemoryThrottlerStorage();
    const before = heapUsedAfterCollection();
    await storage.increment('key', 60_000, 600, 60_000, CREDENTIAL_QUOTA);
    for (let address = 0; address < 1_000_000; address++) {
      void storage.increment(`10.${String(address)}/60`, 60_000, 60, 60_000, ADDRESS_QUOTA);
    }
    expect(storage.size).toBeLessThanOrEqual(100_001);
    expect((heapUsedAfterCollection() - before) / 2 ** 20).toBeLessThan(32);
    const { totalHits } = await storage.increment('key', 60_000, 600, 60_000, CREDENTIAL_QUOTA);
    expect(totalHits).toBe(2);
  });
});
