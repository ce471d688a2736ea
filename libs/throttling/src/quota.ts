import { HEADER, type MaybePromise, type RateLimit, thenMaybe } from '@items/conventions';
import { Injectable } from '@nestjs/common';
import { InjectThrottlerOptions, InjectThrottlerStorage, normalizeIp } from '@nestjs/throttler';
import { ADDRESS_QUOTA, CREDENTIAL_QUOTA, type QuotaOptions } from './quota-options.js';
import type { RouteQuota } from './route-quota.js';
import type { QuotaStorage, ThrottlerStorageRecord, WindowHit } from './quota-storage.js';

export interface QuotaHolder {
  /** Holders with the same id share a quota: the id of a credential, or one id for all logins of a user. */
  readonly credentialId: string;
  /** Null if the default quota applies. */
  readonly rateLimit: RateLimit | null;
  /** Name of the policy in the headers. Default: {@link CREDENTIAL_QUOTA}. */
  readonly policy?: string;
  /** A second quota, such as one for all keys of a user. Counts nothing if the first quota refuses. */
  readonly shared?: SharedQuota | undefined;
}

export interface SharedQuota {
  readonly id: string;
  readonly policy: string;
  readonly rateLimit: RateLimit;
}

export interface CountedRequest {
  readonly ip: string;
}

export interface ResponseHeaders {
  header(name: string, value: string | number): unknown;
}

interface NamedWindow extends WindowHit {
  readonly id: string;
  readonly policy: string;
}

const UNCOUNTED: QuotaState = { exceeded: false, resetSeconds: 1 };

type CountedWindow = NamedWindow & ThrottlerStorageRecord;

export interface QuotaState {
  readonly exceeded: boolean;
  readonly resetSeconds: number;
}

/**
 * Counts requests over all routes: for each valid credential, or else for each address. Provide it in a module that
 * imports `ThrottlerModule.forRoot(quotaOptions(…))`. SPEC §8
 */
@Injectable()
export class Quota {
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
   * Counts a request for its valid credential, or else its address, and sets the headers of its response. Of several
   * quotas, the headers describe the one with the fewest remaining requests.
   * @param userId holder of the route's quota. Default: the credential or address.
   */
  count(
    request: CountedRequest,
    reply: ResponseHeaders,
    holder: QuotaHolder | null,
    route?: RouteQuota,
    userId?: string | null,
  ): MaybePromise<QuotaState> {
    const windows = this.windowsOf(request, holder, route, userId);
    if (windows.length === 0) return UNCOUNTED;
    return thenMaybe(this.storage.hitAll(windows), (records) => {
      const counted = records.map((record, index) => ({ ...(windows[index] as NamedWindow), ...record }));
      const nearest = counted.reduce((one, other) => (isNearer(other, one) ? other : one));
      setRateHeaders(reply, nearest);
      const exceeded = nearest.totalHits > nearest.limit;
      this.counted[holder === null ? ADDRESS_QUOTA : CREDENTIAL_QUOTA][exceeded ? 'refused' : 'allowed'] += 1;
      return { exceeded, resetSeconds: nearest.timeToExpire };
    });
  }

  /** Subtracts a request that {@link count} counted within the quota. */
  undo(holder: QuotaHolder): MaybePromise<void> {
    const own = this.windowOfCredential(holder);
    return this.storage.undoAll(holder.shared === undefined ? [own] : [own, windowOf(CREDENTIAL_QUOTA, holder.shared)]);
  }

  private windowsOf(
    request: CountedRequest,
    holder: QuotaHolder | null,
    route: RouteQuota | undefined,
    userId: string | null | undefined,
  ): NamedWindow[] {
    const own = holder === null ? this.windowOfAddress(request) : this.windowOfCredential(holder);
    const isSkipped = route?.skipsCommon === true && holder !== null;
    const windows = isSkipped ? [] : [own];
    if (holder?.shared !== undefined && !isSkipped) windows.push(windowOf(CREDENTIAL_QUOTA, holder.shared));
    if (route?.rateLimit === undefined) return windows;
    const id = `${route.id}:${typeof userId === 'string' ? `user:${userId}` : own.id}`;
    return [...windows, windowOf(own.quota, { id: `route:${id}`, policy: 'route', rateLimit: route.rateLimit })];
  }

  private windowOfCredential({ credentialId, policy = CREDENTIAL_QUOTA, rateLimit }: QuotaHolder): NamedWindow {
    return windowOf(CREDENTIAL_QUOTA, { id: credentialId, policy, rateLimit: rateLimit ?? this.credential });
  }

  /** Counts a /64 network of IPv6 as one address, because one customer usually has all of its 2^64 addresses. */
  private windowOfAddress({ ip }: CountedRequest): NamedWindow {
    const id = normalizeIp(ip, this.options.ipv6SubnetPrefix);
    return windowOf(ADDRESS_QUOTA, { id, policy: ADDRESS_QUOTA, rateLimit: this.address });
  }
}

/** The key contains the window's length, so that a new length applies immediately, not after the current window. */
function windowOf(quota: string, { id, policy, rateLimit: { requests, seconds } }: SharedQuota): NamedWindow {
  return { id, key: `${id}/${String(seconds)}`, windowMs: seconds * 1000, limit: requests, quota, policy };
}

function isNearer(one: CountedWindow, other: CountedWindow): boolean {
  const left = one.limit - one.totalHits;
  const otherLeft = other.limit - other.totalHits;
  return left === otherLeft ? one.timeToExpire > other.timeToExpire : left < otherLeft;
}

/**
 * Sets `X-RateLimit-*`, and the headers of draft-ietf-httpapi-ratelimit-headers-11: structured fields, each a list of
 * one policy, whose name is a string. SPEC §8
 */
function setRateHeaders(reply: ResponseHeaders, window: CountedWindow): void {
  const { policy, limit, windowMs, totalHits, timeToExpire } = window;
  const remaining = Math.max(0, limit - totalHits);
  reply.header(HEADER.rateLimitLimit, limit);
  reply.header(HEADER.rateLimitRemaining, remaining);
  reply.header(HEADER.rateLimitReset, timeToExpire);
  reply.header('ratelimit-policy', `"${policy}";q=${String(limit)};w=${String(Math.ceil(windowMs / 1000))}`);
  reply.header('ratelimit', `"${policy}";r=${String(remaining)};t=${String(timeToExpire)}`);
}
