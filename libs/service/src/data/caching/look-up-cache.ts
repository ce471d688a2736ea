import type { MaybePromise } from '@items/conventions';
import type { LRUCache } from 'lru-cache';

import { boundedCache, type CacheClock } from './bounded-cache.js';

/** What does not exist is cached apart, so that a flood of invented keys displaces nothing. */
const FOUND_BYTES = 16_777_216;
const MISSING_BYTES = 4_194_304;
const MISSING = {};
/**
 * How long a process believes what it has read. What another instance revoked is dead everywhere within 5 s
 * (SPEC §5.4): a second is left for the request that asks.
 */
const TTL_MS = 4_000;

export interface LookUpCacheOptions<T> {
  /** When a value ends by itself, in milliseconds since the epoch; null: never. */
  readonly endsAt?: (value: T) => number | null;
  readonly ttlMs?: number;
  /** Tests have their own. */
  readonly clock?: CacheClock;
}

/** How often a cache was asked since the process began. */
export interface LookUps {
  readonly hits: number;
  /** The source was read, or was being read already. */
  readonly misses: number;
}

/**
 * Caches for some seconds what was found under a key, or that nothing was.
 * @example
 * const users = new LookUpCache<User>();
 * await users.get('ada', () => database.findUser('ada'));
 */
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

  /** Entries held now. */
  get size(): number {
    return this.found.size + this.missing.size;
  }

  get lookUps(): LookUps {
    return { hits: this.hits, misses: this.misses };
  }

  /**
   * At once where the value is cached. Those who ask for the same key meanwhile share one look-up.
   * @param lookUp reads the source; null where there is nothing.
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

  /** The value, where it is cached and has not ended. */
  peek(key: string): T | undefined {
    const found = this.found.get(key);
    if (found === undefined || (this.endsAt?.(found) ?? Infinity) <= Date.now()) return undefined;
    this.hits += 1;
    return found;
  }

  /**
   * Stores a value that was read elsewhere, in place of an older one and of a look-up on its way.
   * @param start when it was read, on the clock of the cache.
   */
  put(key: string, value: T, start = this.clock.now()): void {
    this.forget(key);
    this.remember(key, value, start);
  }

  /** Forgets a value, and a look-up on its way: it may have read what has just changed. */
  forget(key: string): void {
    this.found.delete(key);
    this.missing.delete(key);
    this.pending.delete(key);
  }

  /** Forgets everything, look-ups on their way included. */
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

  /** @param start of the look-up, which may have been slow: what it read may be as old as that. */
  private remember(key: string, value: T | null, start: number): void {
    if (value === null) this.missing.set(key, MISSING, { start });
    else this.found.set(key, value, { start });
  }
}
