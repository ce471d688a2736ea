import type { ThrottlerStorage } from '@nestjs/throttler';

import { MemoryThrottlerStorage } from './memory-throttler-storage.js';
import type { RedisLink } from './redis-link.js';
import { toRecord, type ThrottlerStorageRecord } from './throttler-record.js';

/**
 * Quotas shared by all instances. While Redis does not answer, each instance counts by itself: a quota that is too
 * generous for a moment is better than a service that is down with its counters.
 */
export class RedisThrottlerStorage implements ThrottlerStorage {
  private readonly fallback: MemoryThrottlerStorage;

  /** @param credentialQuota as {@link MemoryThrottlerStorage} has it. */
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
    block: number,
    quota: string,
  ): Promise<ThrottlerStorageRecord> {
    const hit = await this.link.ask((redis) => redis.hit(`${this.keyPrefix}${quota}:${key}`, ttl));
    if (hit === undefined) return this.fallback.increment(key, ttl, limit, block, quota);
    const [count, leftMs] = hit;
    return toRecord(count, leftMs, limit);
  }
}
