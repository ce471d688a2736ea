import { type MaybePromise, type RateLimit, thenMaybe } from '@items/conventions';
import { Injectable } from '@nestjs/common';
import { InjectThrottlerOptions, InjectThrottlerStorage, normalizeIp } from '@nestjs/throttler';

import { ADDRESS_QUOTA, CREDENTIAL_QUOTA } from './quota-names.js';
import type { QuotaOptions } from './quota-options.js';
import type { QuotaStorage, WindowHit } from './quota-storage.js';
import { setRateHeaders, type AnswerHeaders } from './rate-headers.js';
import type { ThrottlerStorageRecord } from './throttler-record.js';

/** Whom a request is counted for: a valid credential, which may have a quota of its own. */
export interface QuotaHolder {
  /** What shares one quota has one id: that of a credential, or one for all logins of a user. */
  readonly credentialId: string;
  /** Null for the usual quota. */
  readonly rateLimit: RateLimit | null;
  /** Name of the policy in the headers; left out: {@link CREDENTIAL_QUOTA}. */
  readonly policy?: string;
  /** A second quota in which the request counts, unless the first one refuses it: such as that of all keys of a user. */
  readonly shared?: SharedQuota | undefined;
}

/** A quota of several credentials together. */
export interface SharedQuota {
  readonly id: string;
  readonly policy: string;
  readonly rateLimit: RateLimit;
}

/** A request, of Fastify or of Express. */
export interface CountedRequest {
  /** Of the client. */
  readonly ip: string;
}

/** A window of a quota, with what is said of it. */
interface CountedWindow extends WindowHit {
  readonly policy: string;
  readonly rateLimit: RateLimit;
}

/** Where a request stands within its quota. */
export interface QuotaState {
  readonly exceeded: boolean;
  /** Whole, at least 1. */
  readonly resetSeconds: number;
}

/**
 * Counts requests, one quota a credential, shared by all routes, or else one an address. It stands beside
 * `ThrottlerModule.forRoot(quotaOptions(…))` among the providers of a module. SPEC §8
 */
@Injectable()
export class Quota {
  /** Requests counted by this process, and those of them that were refused, by the name of their quota. */
  readonly counted = { [CREDENTIAL_QUOTA]: { allowed: 0, refused: 0 }, [ADDRESS_QUOTA]: { allowed: 0, refused: 0 } };

  private readonly credential: RateLimit;
  private readonly address: RateLimit;

  constructor(
    @InjectThrottlerOptions() private readonly options: QuotaOptions,
    @InjectThrottlerStorage() private readonly storage: QuotaStorage,
  ) {
    const [credential, address] = options.throttlers;
    this.credential = { requests: credential.limit, seconds: credential.ttl / 1000 };
    this.address = { requests: address.limit, seconds: address.ttl / 1000 };
  }

  /**
   * Counts one request of a valid credential, or of an address where there is none, and says so in its answer; at once
   * where it is counted in memory. Of two quotas, the headers tell of the one that is nearer to its end.
   */
  count(request: CountedRequest, reply: AnswerHeaders, holder: QuotaHolder | null): MaybePromise<QuotaState> {
    const windows = holder === null ? [this.windowOfAddress(request)] : this.windowsOf(holder);
    return thenMaybe(this.storage.hitAll(windows), (records) => {
      const [window, record] = nearestToRefuse(windows, records);
      const { totalHits, timeToExpire } = record;
      setRateHeaders(reply, window.policy, window.rateLimit, Math.max(0, window.limit - totalHits), timeToExpire);
      const exceeded = totalHits > window.limit;
      this.counted[holder === null ? ADDRESS_QUOTA : CREDENTIAL_QUOTA][exceeded ? 'refused' : 'allowed'] += 1;
      return { exceeded, resetSeconds: timeToExpire };
    });
  }

  private windowsOf({ credentialId, rateLimit, policy, shared }: QuotaHolder): CountedWindow[] {
    const own = windowOf(CREDENTIAL_QUOTA, credentialId, policy ?? CREDENTIAL_QUOTA, rateLimit ?? this.credential);
    if (shared === undefined) return [own];
    return [own, windowOf(CREDENTIAL_QUOTA, shared.id, shared.policy, shared.rateLimit)];
  }

  private windowOfAddress(request: CountedRequest): CountedWindow {
    return windowOf(ADDRESS_QUOTA, this.addressOf(request), ADDRESS_QUOTA, this.address);
  }

  /** An IPv6 network of one customer is one address: otherwise there would be 2^64 of them. */
  private addressOf(request: CountedRequest): string {
    return normalizeIp(request.ip, this.options.ipv6SubnetPrefix);
  }
}

/** The length is part of the key: a key whose window was made shorter does not wait for the end of the longer one. */
function windowOf(quota: string, id: string, policy: string, rateLimit: RateLimit): CountedWindow {
  const { requests: limit, seconds } = rateLimit;
  return { key: `${id}/${String(seconds)}`, windowMs: seconds * 1000, limit, quota, policy, rateLimit };
}

/** The window that allows the fewest further requests; of two that allow as many, the one that ends later. */
function nearestToRefuse(
  windows: readonly CountedWindow[],
  records: readonly ThrottlerStorageRecord[],
): readonly [CountedWindow, ThrottlerStorageRecord] {
  const counted = records.map((record, index) => [windows[index] as CountedWindow, record] as const);
  return counted.reduce((nearest, other) => (isNearer(other, nearest) ? other : nearest));
}

type Counted = readonly [CountedWindow, ThrottlerStorageRecord];

function isNearer([window, record]: Counted, [other, otherRecord]: Counted): boolean {
  const left = window.limit - record.totalHits;
  const otherLeft = other.limit - otherRecord.totalHits;
  return left === otherLeft ? record.timeToExpire > otherRecord.timeToExpire : left < otherLeft;
}
