import type { ThrottlerStorage } from '@nestjs/throttler';

import { CREDENTIAL_QUOTA } from './quota-names.js';
import { toRecord, type ThrottlerStorageRecord } from './throttler-record.js';
import { WindowCounter } from './window-counter.js';

/** Most addresses that are counted at once: about 20 MB. Beyond it, those not heard of for longest are forgotten. */
const MAX_ADDRESSES = 100_000;

/**
 * Quotas of this process alone. Credentials are counted apart from addresses: there are only as many as were made, and
 * no flood of addresses pushes one out.
 */
export class MemoryThrottlerStorage implements ThrottlerStorage {
  private readonly credentials = new WindowCounter();
  private readonly addresses = new WindowCounter(MAX_ADDRESSES);

  /** Windows held now. */
  get size(): number {
    return this.credentials.size + this.addresses.size;
  }

  increment(key: string, ttl: number, limit: number, _block: number, quota: string): Promise<ThrottlerStorageRecord> {
    const counter = quota === CREDENTIAL_QUOTA ? this.credentials : this.addresses;
    const nowMs = Date.now();
    const { count, resetAt } = counter.hit(key, ttl, nowMs);
    return Promise.resolve(toRecord(count, resetAt - nowMs, limit));
  }
}
