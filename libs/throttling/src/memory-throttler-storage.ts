import type { QuotaStorage, ThrottlerStorageRecord, WindowHit } from './quota-storage.js';

/** Maximum number of addresses, about 20 MB. */
const MAX_KEYS = 100_000;

interface Window {
  count: number;
  resetAt: number;
}

/**
 * Counts requests in this process, for a limited number of addresses. Credentials, whose number is limited anyway, are
 * counted separately, so that no flood of addresses evicts them.
 * @example
 * ThrottlerModule.forRoot({ throttlers: [{ limit: 60, ttl: 60_000 }], storage: new MemoryThrottlerStorage() })
 */
export class MemoryThrottlerStorage implements QuotaStorage {
  private readonly credentials = new WindowCounter();
  private readonly addresses = new WindowCounter(MAX_KEYS);

  /** @param credentialQuota name of the throttler whose keys are credentials. */
  constructor(private readonly credentialQuota?: string) {}

  get size(): number {
    return this.credentials.size + this.addresses.size;
  }

  increment(key: string, ttl: number, limit: number, _block: number, quota: string): Promise<ThrottlerStorageRecord> {
    const [record] = this.hitAll([{ key, windowMs: ttl, limit, quota }]);
    return Promise.resolve(record as ThrottlerStorageRecord);
  }

  hitAll(hits: readonly WindowHit[]): readonly ThrottlerStorageRecord[] {
    // Whole milliseconds, because a fraction, rounded up, would show a window of 30 s as 31 s.
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
 * @param totalHits includes this request.
 * @param remainingMs rounded up to whole seconds, at least one, so that no client retries too early.
 */
export function toRecord(totalHits: number, remainingMs: number, limit: number): ThrottlerStorageRecord {
  const timeToExpire = Math.max(1, Math.ceil(remainingMs / 1000));
  return { totalHits, timeToExpire, isBlocked: totalHits > limit, timeToBlockExpire: timeToExpire };
}

/**
 * Counts in fixed windows that begin with their first request. There are two generations of windows, so that deletion
 * needs no search and no timer: the older one is dropped as a whole when all its windows have ended, or when the
 * younger one is full. A window in use moves to the younger one.
 */
export class WindowCounter {
  private younger = new Map<string, Window>();
  private older = new Map<string, Window>();
  private longestMs = 0;
  private rotatedAtMs = 0;

  /** @param capacity beyond it, the least recently used windows are dropped. */
  constructor(private readonly capacity = Infinity) {}

  get size(): number {
    return this.younger.size + this.older.size;
  }

  /** @param nowMs on a monotonic clock. @returns the open window, including this request. */
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

  undo(key: string, nowMs: number): void {
    const window = this.younger.get(key) ?? this.older.get(key);
    if (window !== undefined && window.resetAt > nowMs && window.count > 0) window.count--;
  }

  peek(key: string, nowMs: number): Readonly<Window> | undefined {
    const window = this.younger.get(key) ?? this.older.get(key);
    return window !== undefined && window.resetAt > nowMs ? window : undefined;
  }

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
