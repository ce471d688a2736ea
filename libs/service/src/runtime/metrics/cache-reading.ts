import type { LookUps } from '../../data/caching/look-up-cache.js';

import type { Reading } from './readings.js';

export interface CountsLookUps {
  readonly lookUps: LookUps;
}

export function cacheReading(prefix: string, caches: Readonly<Record<string, CountsLookUps>>): Reading {
  return {
    type: 'counter',
    name: `${prefix}_cache_lookups_total`,
    help: 'Look-ups of caches, by result: hit, or miss (read from the database).',
    labels: ['cache', 'result'],
    read: () =>
      Object.entries(caches).flatMap(([cache, { lookUps }]) => [
        { labels: { cache, result: 'hit' }, value: lookUps.hits },
        { labels: { cache, result: 'miss' }, value: lookUps.misses },
      ]),
  };
}
