import type { LookUps } from '../../data/caching/look-up-cache.js';

import type { Reading } from './readings.js';

/** Something that counts its look-ups: a cache, or who has one. */
export interface CountsLookUps {
  readonly lookUps: LookUps;
}

/** How often caches knew what they were asked for. @param caches by name. */
export function cacheReading(prefix: string, caches: Readonly<Record<string, CountsLookUps>>): Reading {
  return {
    type: 'counter',
    name: `${prefix}_cache_lookups_total`,
    help: 'What caches were asked for, by result: hit (known), or miss (read from the database).',
    labels: ['cache', 'result'],
    read: () =>
      Object.entries(caches).flatMap(([cache, { lookUps }]) => [
        { labels: { cache, result: 'hit' }, value: lookUps.hits },
        { labels: { cache, result: 'miss' }, value: lookUps.misses },
      ]),
  };
}
