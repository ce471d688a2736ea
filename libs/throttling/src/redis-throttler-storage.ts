import { MemoryThrottlerStorage, toRecord } from './memory-throttler-storage.js';
import type { QuotaStorage, ThrottlerStorageRecord, WindowHit } from './quota-storage.js';
import type { RedisLink } from './redis-link.js';

/**
 * Shares quotas between instances. While Redis does not respond, each instance counts separately, because too generous
 * a quota is better than an outage.
 */
export class RedisThrottlerStorage implements QuotaStorage {
  private readonly fallback: MemoryThrottlerStorage;

  constructor(
    private readonly link: RedisLink,
    credentialQuota?: string,
    private readonly keyPrefix = 'items:quota:',
  ) {
    this.fallback = new MemoryThrottlerStorage(credentialQuota);
  }

  async increment(
    key: string,
    ttl: number,
    limit: number,
    _block: number,
    quota: string,
  ): Promise<ThrottlerStorageRecord> {
    const [record] = await this.hitAll([{ key, windowMs: ttl, limit, quota }]);
    return record as ThrottlerStorageRecord;
  }

  async hitAll(hits: readonly WindowHit[]): Promise<readonly ThrottlerStorageRecord[]> {
    const keys = this.keysOf(hits);
    const counts = await this.link.ask((redis) =>
      redis.hitAll(hits.length, ...keys, ...hits.flatMap(({ windowMs, limit }) => [windowMs, limit])),
    );
    if (counts === undefined) return this.fallback.hitAll(hits);
    return hits.slice(0, counts.length).map(({ limit }, index) => {
      const [count, leftMs] = counts[index] as readonly [number, number];
      return toRecord(count, leftMs, limit);
    });
  }

  async undoAll(hits: readonly WindowHit[]): Promise<void> {
    const undone = await this.link.ask((redis) => redis.undoAll(hits.length, ...this.keysOf(hits)));
    if (undone === undefined) this.fallback.undoAll(hits);
  }

  private keysOf(hits: readonly WindowHit[]): string[] {
    return hits.map(({ key, quota }) => `${this.keyPrefix}${quota}:${key}`);
  }
}
