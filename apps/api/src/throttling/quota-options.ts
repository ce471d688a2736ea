import { Logger } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';

import type { Config } from '../config/config.js';
import { MemoryThrottlerStorage } from './memory-throttler-storage.js';
import { ADDRESS_QUOTA, CREDENTIAL_QUOTA } from './quota-names.js';
import { RedisThrottlerStorage } from './redis-throttler-storage.js';

/** A throttler; `ttl` in milliseconds, as Nest's throttler has it. */
interface NamedQuota {
  readonly name: string;
  readonly limit: number;
  readonly ttl: number;
}

/** The part of ThrottlerModuleOptions that this service uses. */
export interface QuotaOptions {
  readonly throttlers: [credential: NamedQuota, address: NamedQuota];
  readonly ipv6SubnetPrefix: number;
  readonly storage: ThrottlerStorage;
}

/** What the configuration asks for: counted in memory, or in Redis where `REDIS_URL` is set. */
export function quotaOptions(config: Pick<Config, 'rateLimit' | 'anonymousRateLimit' | 'redisUrl'>): QuotaOptions {
  const { rateLimit, anonymousRateLimit, redisUrl } = config;
  return {
    throttlers: [
      { name: CREDENTIAL_QUOTA, limit: rateLimit.requests, ttl: rateLimit.seconds * 1000 },
      { name: ADDRESS_QUOTA, limit: anonymousRateLimit.requests, ttl: anonymousRateLimit.seconds * 1000 },
    ],
    ipv6SubnetPrefix: 64,
    storage:
      redisUrl === undefined
        ? new MemoryThrottlerStorage()
        : new RedisThrottlerStorage(redisUrl, new Logger(RedisThrottlerStorage.name)),
  };
}
