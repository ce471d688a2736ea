import type { RateLimit } from '@items/conventions';

import { MemoryThrottlerStorage } from './memory-throttler-storage.js';
import type { QuotaStorage } from './quota-storage.js';
import type { RedisLink } from './redis-link.js';
import { RedisThrottlerStorage } from './redis-throttler-storage.js';

/** The throttler that counts by credential; `default`, so that a bare `@SkipThrottle()` names it. SPEC §8 */
export const CREDENTIAL_QUOTA = 'default';
/** The throttler that counts requests without a valid credential by their address. SPEC §8 */
export const ADDRESS_QUOTA = 'anonymous';

/** A throttler; `ttl` in milliseconds, as Nest's throttler has it. */
interface NamedQuota {
  readonly name: string;
  readonly limit: number;
  readonly ttl: number;
}

/** How often callers may ask. SPEC §8 */
export interface Quotas {
  /** Of a credential that has no quota of its own. */
  readonly credential: RateLimit;
  /** Of an address, for requests without a valid credential. */
  readonly address: RateLimit;
  /** To the Redis that counts for all instances; null: counted in memory. */
  readonly link: RedisLink | null;
}

/** As much of the throttler's options as quotas need. */
export interface QuotaOptions {
  readonly throttlers: [credential: NamedQuota, address: NamedQuota];
  readonly ipv6SubnetPrefix: number;
  readonly storage: QuotaStorage;
}

/**
 * The options of Nest's throttler for such quotas; `Quota` counts by them.
 * @example ThrottlerModule.forRoot(quotaOptions({ credential, address, link: null }))
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
