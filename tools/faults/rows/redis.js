import { setTimeout as sleep } from 'node:timers/promises';

import { startPostgres } from '../../cluster/postgres.ts';
import { follows } from '../../cluster/redis.ts';
import { waitUntil } from '../../cluster/wait-until.ts';
import { judge, seconds } from '../fault.js';
import { Load } from '../load.js';
import { startSentinels } from '../sentinel.js';
import { onCluster, onSite, startAlone } from '../topologies.js';

/** Number of failovers, because a client may fail only in some of them. */
const FAILOVERS = 10;
const SENTINEL_PAUSE_MS = 10_000;

/** @type {import('../fault.js').Fault} */
const killed = {
  name: 'redis-killed',
  title: 'kill -9 of Redis, which starts again, empty, 5 s later',
  run: () =>
    onCluster({}, async ({ address, key, redis }) => {
      const load = new Load(address, key).start();
      await sleep(3000);
      await redis.program.kill();
      await sleep(5000);
      await redis.startAgain();
      await sleep(4000);
      return judge(await load.stop(), { failed: 0, longestMs: 2000 });
    }),
};

/** @type {import('../fault.js').Fault} */
const masterKilled = {
  name: 'sentinel-master-killed',
  title: "ten times kill -9 of the master that three Sentinels look after ('down-after-milliseconds 1000')",
  run: () =>
    onSite(async (site) => {
      const [{ primary }, { master, replica, url }] = await Promise.all([
        startPostgres(site, { hasStandby: false }),
        startSentinels(site),
      ]);
      const { address, key } = await startAlone(site, { DATABASE_URL: primary.url, REDIS_URL: url });
      const load = new Load(address, key).start();
      await sleep(3000);
      let longestMs = 0;
      for (let n = 0; n < FAILOVERS; n += 1) {
        const [current, next] = n % 2 === 0 ? [master, replica] : [replica, master];
        await waitUntil('the other one follows', () => follows(next.port), 60_000);
        // Sentinels wait for twice their timeout between two failovers.
        await sleep(SENTINEL_PAUSE_MS);
        await current.program.kill();
        const since = performance.now();
        await waitUntil('the service has noticed', async () => (await redisOf(address)) === 'unavailable');
        await waitUntil(
          `the service uses the new master, time ${n + 1}`,
          async () => (await redisOf(address)) === 'ok',
        );
        longestMs = Math.max(longestMs, performance.now() - since);
        await current.startAgain();
      }
      const words = `the new master is used after ${seconds(longestMs)} at the latest, ${FAILOVERS} times`;
      return judge(await load.stop(), { failed: 0, longestMs: 2000 }, words);
    }),
};

/** @param {string} address @returns {Promise<unknown>} the Redis status that the service reports. */
async function redisOf(address) {
  const answer = await fetch(`${address}/health/ready`);
  return /** @type {{ redis?: unknown }} */ (await answer.json()).redis;
}

export const redisFaults = [killed, masterKilled];
