import type { Logger, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';

import { MemoryThrottlerStorage } from './memory-throttler-storage.js';
import { RedisLink } from './redis-link.js';
import { toRecord, type ThrottlerStorageRecord } from './throttler-record.js';

/**
 * Quotas shared by all instances. While Redis does not answer, each instance counts by itself: a quota that is too
 * generous for a moment is better than a service that is down with its counters.
 */
export class RedisThrottlerStorage implements ThrottlerStorage, OnModuleInit, OnApplicationShutdown {
  private readonly link: RedisLink;
  private readonly fallback = new MemoryThrottlerStorage();

  constructor(
    url: string,
    logger: Pick<Logger, 'warn' | 'log'>,
    private readonly keyPrefix = 'items:quota:',
  ) {
    this.link = new RedisLink(url, logger, 'quotas');
  }

  /** The first request is to be counted with all others. */
  onModuleInit(): Promise<void> {
    return this.link.ready();
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

  /** For the end of the process, and of a test. */
  onApplicationShutdown(): void {
    this.link.close();
  }
}
