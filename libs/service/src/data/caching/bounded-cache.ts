import { LRUCache } from 'lru-cache';

import { bytesOf } from './bytes-of.js';

/** The clock of a cache, in milliseconds. It is never set, and never 0. */
export interface CacheClock {
  now(): number;
}

export interface CacheOptions {
  /** Of keys and values together. A larger entry is not cached. */
  readonly maxBytes: number;
  readonly ttlMs: number;
  /** Tests have their own. */
  readonly clock?: CacheClock;
}

/** The one kind of cache of this service. Where it is full, it forgets what was used longest ago. */
export function boundedCache<V extends object>({
  maxBytes,
  ttlMs,
  clock = performance,
}: CacheOptions): LRUCache<string, V> {
  return new LRUCache({
    maxSize: maxBytes,
    sizeCalculation: (value, key) => bytesOf(key) + bytesOf(value),
    ttl: ttlMs,
    ttlResolution: 0,
    perf: clock,
  });
}
