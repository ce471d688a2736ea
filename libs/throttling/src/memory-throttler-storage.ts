import type { QuotaStorage, WindowHit } from './quota-storage.js';
import { toRecord, type ThrottlerStorageRecord } from './throttler-record.js';
import { monotonicMs, WindowCounter } from './window-counter.js';

/** Most keys that are counted at once: about 20 MB. Beyond it, those not heard of for longest are forgotten. */
const MAX_KEYS = 100_000;

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
    return Promise.resolve(this.hit({ key, windowMs: ttl, limit, quota }));
  }

  hitAll(hits: readonly WindowHit[]): readonly ThrottlerStorageRecord[] {
    const records: ThrottlerStorageRecord[] = [];
    for (const hit of hits) {
      const record = this.hit(hit);
      records.push(record);
      if (record.isBlocked) break;
    }
    return records;
  }

  private hit({ key, windowMs, limit, quota }: WindowHit): ThrottlerStorageRecord {
    const counter = quota === this.credentialQuota ? this.credentials : this.addresses;
    const nowMs = monotonicMs();
    const { count, resetAt } = counter.hit(key, windowMs, nowMs);
    return toRecord(count, resetAt - nowMs, limit);
  }
}
