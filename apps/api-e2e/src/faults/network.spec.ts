import { setTimeout as sleep } from 'node:timers/promises';

import { FragileLink, startPostgres, startRedis } from '@items/testing';

import { expectHeld, fault, programs, type Limits } from './fault.js';
import { Load } from './load.js';
import { onSite, startAlone } from './topologies.js';

const LAST_MS = 8000;
const RESET_EVERY_MS = 400;

/** Each disturbance ends after a fixed time. */
const DISTURBANCES = {
  'black-hole': {
    words: `swallows everything for ${LAST_MS / 1000} s`,
    cause: async (link: FragileLink) => {
      link.freeze();
      await sleep(LAST_MS);
      link.restore();
    },
  },
  latency: {
    words: `takes 150 ms longer each way for ${LAST_MS / 1000} s`,
    cause: async (link: FragileLink) => {
      link.slow(150);
      await sleep(LAST_MS);
      link.restore();
    },
  },
  resets: {
    words: `resets all connections every ${RESET_EVERY_MS} ms for ${LAST_MS / 1000} s`,
    cause: async (link: FragileLink) => {
      for (let ms = 0; ms < LAST_MS; ms += RESET_EVERY_MS) {
        link.cut();
        link.restore();
        await sleep(RESET_EVERY_MS);
      }
    },
  },
};

function networkFault(
  to: 'postgres' | 'redis',
  disturbance: keyof typeof DISTURBANCES,
  limits: (since: number) => Limits,
): void {
  const { words, cause } = DISTURBANCES[disturbance];
  const title = `The network between the service and ${to === 'redis' ? 'Redis' : 'PostgreSQL'} ${words}`;
  fault(`${to}-${disturbance}`, title, programs('redis-server'), () =>
    onSite(async (site) => {
      const [primary, redis] = await Promise.all([startPostgres(site), startRedis(site)]);
      const link = await FragileLink.to('127.0.0.1', to === 'redis' ? redis.port : primary.port);
      site.atEnd(() => link.close());
      const { address, key } = await startAlone(site, {
        DATABASE_URL: to === 'redis' ? primary.url : primary.url.replace(`:${primary.port}`, `:${link.port}`),
        REDIS_URL: to === 'redis' ? `redis://127.0.0.1:${link.port}` : redis.url,
      });
      const load = new Load(address, key).start();
      await sleep(3000);
      await cause(link);
      const since = performance.now();
      await sleep(5000);
      expectHeld(await load.stop(), limits(since));
    }),
  );
}

/** During faults of Redis no request fails or waits long. */
const unharmed = (): Limits => ({ failed: 0, longestMs: 2500 });
/** The service waits 4.5 s for the database. The rest is tolerance for a busy machine. */
const backSoon = (since: number): Limits => ({ back: { since, within: 3000 }, longestMs: 7000 });

networkFault('postgres', 'black-hole', backSoon);
networkFault('postgres', 'latency', () => ({ failed: 0, longestMs: 7000 }));
networkFault('postgres', 'resets', backSoon);
networkFault('redis', 'black-hole', unharmed);
networkFault('redis', 'latency', unharmed);
networkFault('redis', 'resets', unharmed);
