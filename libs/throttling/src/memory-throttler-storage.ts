import type { QuotaStorage, ThrottlerStorageRecord, WindowHit } from './quota-storage.js';

/** Most keys that are counted at once: about 20 MB. Beyond it, those not heard of for longest are forgotten. */
const MAX_KEYS = 100_000;

/** Requests counted in one window. */
interface Window {
  count: number;
  /** On the same clock as `nowMs`. */
  resetAt: number;
}

/**
 * Quotas of this process alone: one small record a key, and a bound on the keys. Credentials may be counted apart from
 * addresses: there are only as many as were made, and no flood of addresses pushes one out.
 * @example ThrottlerModule.forRoot({ throttlers: [{ limit: 60, ttl: 60_000 }], storage: new MemoryThrottlerStorage() })
 */
export class MemoryThrottlerStorage implements QuotaStorage {
  private readonly credentials = new WindowCounter();
  private readonly addresses = new WindowCounter(MAX_KEYS);

  /** @param credentialQuota name of the throttler whose keys are credentials, of which none is forgotten. */
  constructor(private readonly credentialQuota?: string) {}

  /** Windows held now. */
  get size(): number {
    return this.credentials.size + this.addresses.size;
  }

  increment(key: string, ttl: number, limit: number, _block: number, quota: string): Promise<ThrottlerStorageRecord> {
    const [record] = this.hitAll([{ key, windowMs: ttl, limit, quota }]);
    return Promise.resolve(record as ThrottlerStorageRecord);
  }

  hitAll(hits: readonly WindowHit[]): readonly ThrottlerStorageRecord[] {
    // In whole milliseconds: with fractions, a sum that is rounded would tell a window of 30 seconds to last 31.
    const nowMs = Math.floor(performance.now());
    const records: ThrottlerStorageRecord[] = [];
    for (const { key, windowMs, limit, quota } of hits) {
      const counter = quota === this.credentialQuota ? this.credentials : this.addresses;
      const { count, resetAt } = counter.hit(key, windowMs, nowMs);
      const record = toRecord(count, resetAt - nowMs, limit);
      records.push(record);
      if (record.isBlocked) break;
    }
    return records;
  }

  undoAll(hits: readonly WindowHit[]): void {
    const nowMs = Math.floor(performance.now());
    for (const { key, quota } of hits) {
      const counter = quota === this.credentialQuota ? this.credentials : this.addresses;
      counter.undo(key, nowMs);
    }
  }
}

/**
 * @param totalHits requests in the window, this one included.
 * @param remainingMs until the window ends; shown as at least one second, so that no client returns too early.
 */
export function toRecord(totalHits: number, remainingMs: number, limit: number): ThrottlerStorageRecord {
  const timeToExpire = Math.max(1, Math.ceil(remainingMs / 1000));
  return { totalHits, timeToExpire, isBlocked: totalHits > limit, timeToBlockExpire: timeToExpire };
}

/**
 * Fixed windows that begin with their first request: one small record a key, however many requests it counts.
 *
 * They are kept in two generations, the older of which is dropped as a whole: when all its windows have ended, or when
 * the younger one is full. What is still in use moves on to the younger one. So nothing is ever searched for what may
 * go, and no timer runs.
 */
export class WindowCounter {
  private younger = new Map<string, Window>();
  private older = new Map<string, Window>();
  private longestMs = 0;
  private rotatedAtMs = 0;

  /** @param capacity most windows held at once; beyond it, those that were not used for longest are forgotten. */
  constructor(private readonly capacity = Infinity) {}

  /** Windows held, those that have ended and were not dropped yet included. */
  get size(): number {
    return this.younger.size + this.older.size;
  }

  /**
   * Counts one request.
   * @param windowMs length of the window that begins if none is open.
   * @param nowMs on a clock that is never set: a window is to last as long as it says.
   * @returns the open window, this request included.
   */
  hit(key: string, windowMs: number, nowMs: number): Readonly<Window> {
    this.longestMs = Math.max(this.longestMs, windowMs);
    if (nowMs - this.rotatedAtMs >= this.longestMs || this.younger.size >= this.capacity / 2) this.rotate(nowMs);
    let window = this.younger.get(key) ?? this.takeOlder(key);
    if (window === undefined) {
      window = { count: 0, resetAt: nowMs + windowMs };
      this.younger.set(key, window);
    } else if (window.resetAt <= nowMs) {
      window.count = 0;
      window.resetAt = nowMs + windowMs;
    }
    window.count++;
    return window;
  }

  /** Takes one request out of the open window. */
  undo(key: string, nowMs: number): void {
    const window = this.younger.get(key) ?? this.older.get(key);
    if (window !== undefined && window.resetAt > nowMs && window.count > 0) window.count--;
  }

  /** The window that is open, without counting. */
  peek(key: string, nowMs: number): Readonly<Window> | undefined {
    const window = this.younger.get(key) ?? this.older.get(key);
    return window !== undefined && window.resetAt > nowMs ? window : undefined;
  }

  /** The next request begins a new window. */
  forget(key: string): boolean {
    return [this.younger.delete(key), this.older.delete(key)].includes(true);
  }

  private takeOlder(key: string): Window | undefined {
    const window = this.older.get(key);
    if (window === undefined) return undefined;
    this.older.delete(key);
    this.younger.set(key, window);
    return window;
  }

  private rotate(nowMs: number): void {
    this.older = this.younger;
    this.younger = new Map();
    this.rotatedAtMs = nowMs;
  }
}
