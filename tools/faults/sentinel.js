import { join } from 'node:path';

import { freePort } from '@items/testing';

import { answers, redisServer, startRedis } from '../cluster/redis.ts';

const SENTINELS = 3;

/**
 * Starts a Redis with a replica, and three Sentinels with a quorum of two.
 * @param {import('../cluster/site.ts').Site} site
 */
export async function startSentinels(site) {
  const master = await startRedis(site, 'redis-master');
  const replica = await startRedis(site, 'redis-replica', ['--replicaof', '127.0.0.1', String(master.port)]);
  const hosts = [];
  for (let n = 1; n <= SENTINELS; n += 1) {
    const port = await freePort();
    await startSentinel(site, `sentinel-${n}`, port, master.port);
    hosts.push(`127.0.0.1:${port}`);
  }
  return { master, replica, url: `redis+sentinel://${hosts.join(',')}?master=items` };
}

/**
 * @param {import('../cluster/site.ts').Site} site
 * @param {string} name
 * @param {number} port
 * @param {number} master port of the master.
 */
async function startSentinel(site, name, port, master) {
  const cwd = site.folderOf(name);
  // Sentinel writes its state into its configuration file.
  const file = site.file(
    join(name, 'sentinel.conf'),
    `port ${port}
bind 127.0.0.1
sentinel monitor items 127.0.0.1 ${master} 2
sentinel down-after-milliseconds items 1000
sentinel failover-timeout items 5000
`,
    site.as,
  );
  const as = site.as !== undefined && { as: site.as };
  await site.run({ name, command: redisServer(), args: [file, '--sentinel'], cwd, ...as }, () => answers(port));
}
