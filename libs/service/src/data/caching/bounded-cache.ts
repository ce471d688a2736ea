import { LRUCache } from 'lru-cache';

/** Monotonic clock in milliseconds. Never returns 0, because `lru-cache` treats 0 as no time. */
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

const OVERHEAD = 48;
const MAX_DEPTH = 5;

/** Estimates the memory of plain data in bytes. Prefers an estimate that is too high. */
export function bytesOf(value: unknown, depth = 0): number {
  if (typeof value === 'string') return OVERHEAD + 2 * value.length;
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return 8;
  const parts: Iterable<unknown> =
    value instanceof Set || value instanceof Map || Array.isArray(value) ? value : Object.values(value);
  let bytes = OVERHEAD;
  for (const part of parts) bytes += 8 + bytesOf(part, depth + 1);
  return bytes;
}
