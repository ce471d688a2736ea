import { setTimeout as sleep } from 'node:timers/promises';

import { startPostgres, waitUntil, WatchedRedis } from '@items/testing';

import { CLUSTER, expectHeld, fault, programs, seconds } from './fault.js';
import { Load } from './load.js';
import { onCluster, onSite, startAlone } from './topologies.js';

/** Number of failovers. Many, because a client may fail only in some of them. */
const FAILOVERS = 10;
/** Between two failovers, sentinels wait for twice their timeout. */
const SENTINEL_PAUSE_MS = 10_000;

fault('redis-killed', 'kill -9 of Redis, which starts again, empty, 5 s later', CLUSTER, () =>
  onCluster({}, async ({ address, key, redis }) => {
    const load = new Load(address, key).start();
    await sleep(3000);
    await redis.program.kill();
    await sleep(5000);
    await redis.startAgain();
    await sleep(4000);
    expectHeld(await load.stop(), { failed: 0, longestMs: 2000 });
  }),
);

fault(
  'sentinel-master-killed',
  "ten times kill -9 of the master that three Sentinels look after ('down-after-milliseconds 1000')",
  programs('redis-server'),
  () =>
    onSite(async (site) => {
      const [primary, redis] = await Promise.all([startPostgres(site), WatchedRedis.start()]);
      site.atEnd(() => redis.stop());
      const { address, key } = await startAlone(site, { DATABASE_URL: primary.url, REDIS_URL: redis.url });
      const isRedis = (state: string) => async (): Promise<boolean> => (await redisOf(address)) === state;
      const load = new Load(address, key).start();
      await sleep(3000);
      let longestMs = 0;
      for (let n = 1; n <= FAILOVERS; n += 1) {
        await sleep(SENTINEL_PAUSE_MS);
        const since = performance.now();
        const used = async (): Promise<void> => {
          await waitUntil('the service has noticed', isRedis('unavailable'));
          await waitUntil(`the service uses the new master, time ${n}`, isRedis('ok'));
          longestMs = Math.max(longestMs, performance.now() - since);
        };
        await Promise.all([redis.lose('SIGKILL'), used()]);
        await redis.revive();
      }
      const words = `the new master is used after ${seconds(longestMs)} at the latest, ${FAILOVERS} times`;
      expectHeld(await load.stop(), { failed: 0, longestMs: 2000 }, words);
    }),
);

/** Returns the Redis status that the service reports. */
async function redisOf(address: string): Promise<unknown> {
  const answer = await fetch(`${address}/health/ready`);
  return ((await answer.json()) as { redis?: unknown }).redis;
}
