import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { Registry } from 'prom-client';

import { timeGarbageCollections } from './process-metrics.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('nodejs_gc_duration_seconds', () => {
  it('counts each of several collections in immediate succession', async () => {
    const registry = new Registry();
    const stop = timeGarbageCollections(registry);
    const counted = async (): Promise<number> => {
      const [, count] = /nodejs_gc_duration_seconds_count\{kind="major"\} (\d+)/.exec(await registry.metrics()) ?? [];
      return Number(count ?? 0);
    };
    await sleep(0);
    const before = await counted();
    for (let n = 0; n < 5; n++) collectGarbage();
    const deadline = Date.now() + 10_000;
    while ((await counted()) < before + 5 && Date.now() < deadline) await sleep(10);
    expect(await counted()).toBeGreaterThanOrEqual(before + 5);
    stop();
    await sleep(50);
    const atStop = await counted();
    collectGarbage();
    await sleep(50);
    expect(await counted()).toBe(atStop);
  });
});
