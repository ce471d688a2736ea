import type { RateLimit } from '@items/conventions';
import { MemoryThrottlerStorage } from './memory-throttler-storage.js';
import type { QuotaStorage } from './quota-storage.js';
import type { RedisLink } from './redis-link.js';
import { RedisThrottlerStorage } from './redis-throttler-storage.js';

/** Throttler of credentials. Named `default`, so that `@SkipThrottle()` without arguments skips it. SPEC §8 */
export const CREDENTIAL_QUOTA = 'default';
/** Throttler of addresses, for requests without a valid credential. SPEC §8 */
export const ADDRESS_QUOTA = 'anonymous';

interface NamedQuota {
  readonly name: string;
  readonly limit: number;
  readonly ttl: number;
}

export interface Quotas {
  readonly credential: RateLimit;
  readonly address: RateLimit;
  /** Redis, which counts for all instances; null: each instance counts in memory. */
  readonly link: RedisLink | null;
}

export interface QuotaOptions {
  readonly throttlers: [credential: NamedQuota, address: NamedQuota];
  readonly ipv6SubnetPrefix: number;
  readonly storage: QuotaStorage;
}

/**
 * Makes the options of Nest's throttler for `Quota`.
 * @example
 * ThrottlerModule.forRoot(quotaOptions({ credential, address, link: null }))
 */
export function quotaOptions({ credential, address, link }: Quotas): QuotaOptions {
  return {
    throttlers: [
      { name: CREDENTIAL_QUOTA, limit: credential.requests, ttl: credential.seconds * 1000 },
      { name: ADDRESS_QUOTA, limit: address.requests, ttl: address.seconds * 1000 },
    ],
    ipv6SubnetPrefix: 64,
    storage:
      link === null ? new MemoryThrottlerStorage(CREDENTIAL_QUOTA) : new RedisThrottlerStorage(link, CREDENTIAL_QUOTA),
  };
}
