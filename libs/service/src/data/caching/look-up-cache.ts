import type { MaybePromise } from '@items/conventions';
import type { LRUCache } from 'lru-cache';
import { boundedCache, type CacheClock } from './bounded-cache.js';

/** Missing keys have their own cache, so a flood of invented keys evicts no found value. */
const FOUND_BYTES = 16_777_216;
const MISSING_BYTES = 4_194_304;
const MISSING = {};
/** A revocation must take effect on all instances within 5 s (SPEC §5.4). One second is left for the request. */
const TTL_MS = 4_000;

export interface LookUpCacheOptions<T> {
  /** Returns the expiry in milliseconds since the epoch, or null for none. */
  readonly endsAt?: (value: T) => number | null;
  readonly ttlMs?: number;
  readonly clock?: CacheClock;
}

export interface LookUps {
  readonly hits: number;
  readonly misses: number;
}

export class LookUpCache<T extends object> {
  private readonly found: LRUCache<string, T>;
  private readonly missing: LRUCache<string, object>;
  private readonly pending = new Map<string, Promise<T | null>>();
  private readonly clock: CacheClock;
  private readonly endsAt: ((value: T) => number | null) | undefined;
  private hits = 0;
  private misses = 0;

  constructor({ endsAt, ttlMs = TTL_MS, clock = performance }: LookUpCacheOptions<T> = {}) {
    this.found = boundedCache({ maxBytes: FOUND_BYTES, ttlMs, clock });
    this.missing = boundedCache({ maxBytes: MISSING_BYTES, ttlMs, clock });
    this.clock = clock;
    this.endsAt = endsAt;
  }

  get size(): number {
    return this.found.size + this.missing.size;
  }

  get lookUps(): LookUps {
    return { hits: this.hits, misses: this.misses };
  }

  /**
   * Synchronous if cached. Concurrent callers share one look-up.
   * @param lookUp Returns null for a key without a value.
   */
  get(key: string, lookUp: () => Promise<T | null>): MaybePromise<T | null> {
    const found = this.peek(key);
    if (found !== undefined) return found;
    if (this.missing.get(key) !== undefined) {
      this.hits += 1;
      return null;
    }
    this.misses += 1;
    return this.pending.get(key) ?? this.load(key, lookUp);
  }

  peek(key: string): T | undefined {
    const found = this.found.get(key);
    if (found === undefined || (this.endsAt?.(found) ?? Infinity) <= Date.now()) return undefined;
    this.hits += 1;
    return found;
  }

  /** Stores a value that the caller read at `start`, and discards a running look-up. */
  put(key: string, value: T, start = this.clock.now()): void {
    this.forget(key);
    this.remember(key, value, start);
  }

  /** Also discards a running look-up, because it may have read the old state. */
  forget(key: string): void {
    this.found.delete(key);
    this.missing.delete(key);
    this.pending.delete(key);
  }

  clear(): void {
    this.found.clear();
    this.missing.clear();
    this.pending.clear();
  }

  private load(key: string, lookUp: () => Promise<T | null>): Promise<T | null> {
    const start = this.clock.now();
    const load = lookUp()
      .then((value) => {
        if (this.pending.get(key) === load) this.remember(key, value, start);
        return value;
      })
      .finally(() => {
        if (this.pending.get(key) === load) this.pending.delete(key);
      });
    this.pending.set(key, load);
    return load;
  }

  private remember(key: string, value: T | null, start: number): void {
    if (value === null) this.missing.set(key, MISSING, { start });
    else this.found.set(key, value, { start });
  }
}
