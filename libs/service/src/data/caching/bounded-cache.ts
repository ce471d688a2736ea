import { LRUCache } from 'lru-cache';

import { bytesOf } from './bytes-of.js';

/** Monotonic clock in milliseconds. It never returns 0. */
export interface CacheClock {
  now(): number;
}

export interface CacheOptions {
  readonly maxBytes: number;
  readonly ttlMs: number;
  readonly clock?: CacheClock;
}

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
