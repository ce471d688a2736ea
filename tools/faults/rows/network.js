import { setTimeout as sleep } from 'node:timers/promises';

import { FragileLink } from '@items/testing';

import { startPostgres } from '../../cluster/postgres.ts';
import { startRedis } from '../../cluster/redis.ts';
import { judge } from '../fault.js';
import { Load } from '../load.js';
import { onSite, startAlone } from '../topologies.js';

/** @typedef {import('../fault.js').Fault} Fault */
/** @typedef {import('../fault.js').Limits} Limits */

const LAST_MS = 8000;
const RESET_EVERY_MS = 400;

/** Network faults, each of which ends by itself. @type {Record<string, (link: FragileLink) => Promise<unknown>>} */
const deeds = {
  'black-hole': async (link) => {
    link.freeze();
    await sleep(LAST_MS);
    link.restore();
  },
  latency: async (link) => {
    link.slow(150);
    await sleep(LAST_MS);
    link.restore();
  },
  resets: async (link) => {
    for (let ms = 0; ms < LAST_MS; ms += RESET_EVERY_MS) {
      link.cut();
      link.restore();
      await sleep(RESET_EVERY_MS);
    }
  },
};

/** @type {Record<string, string>} */
const words = {
  'black-hole': `swallows everything for ${LAST_MS / 1000} s`,
  latency: `takes 150 ms longer each way for ${LAST_MS / 1000} s`,
  resets: `resets all connections every ${RESET_EVERY_MS} ms for ${LAST_MS / 1000} s`,
};

/**
 * @param {'postgres' | 'redis'} to
 * @param {string} deed
 * @param {(since: number) => Limits} limits
 * @returns {Fault}
 */
function row(to, deed, limits) {
  const server = to === 'redis' ? 'Redis' : 'PostgreSQL';
  return {
    name: `${to}-${deed}`,
    title: `The network between the service and ${server} ${words[deed]}`,
    run: () =>
      onSite(async (site) => {
        const [{ primary }, redis] = await Promise.all([startPostgres(site, { hasStandby: false }), startRedis(site)]);
        const link = await FragileLink.to('127.0.0.1', to === 'redis' ? redis.port : primary.port);
        site.atEnd(() => link.close());
        const { address, key } = await startAlone(site, {
          DATABASE_URL: to === 'redis' ? primary.url : primary.url.replace(`:${primary.port}`, `:${link.port}`),
          REDIS_URL: to === 'redis' ? `redis://127.0.0.1:${link.port}` : redis.url,
        });
        const load = new Load(address, key).start();
        await sleep(3000);
        await deeds[deed]?.(link);
        const since = performance.now();
        await sleep(5000);
        return judge(await load.stop(), limits(since));
      }),
  };
}

/** During faults of Redis no request fails or waits long. */
const unharmed = () => ({ failed: 0, longestMs: 2500 });
/** The service waits 4.5 s for the database. The rest is tolerance for a busy machine. */
const backSoon = (/** @type {number} */ since) => ({ back: { since, within: 3000 }, longestMs: 7000 });

export const networkFaults = [
  row('postgres', 'black-hole', backSoon),
  row('postgres', 'latency', () => ({ failed: 0, longestMs: 7000 })),
  row('postgres', 'resets', backSoon),
  row('redis', 'black-hole', unharmed),
  row('redis', 'latency', unharmed),
  row('redis', 'resets', unharmed),
];
