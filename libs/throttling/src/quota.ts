import { HEADER, type MaybePromise, type RateLimit, thenMaybe } from '@items/conventions';
import { Injectable } from '@nestjs/common';
import { InjectThrottlerOptions, InjectThrottlerStorage, normalizeIp } from '@nestjs/throttler';

import { ADDRESS_QUOTA, CREDENTIAL_QUOTA, type QuotaOptions } from './quota-options.js';
import type { RouteQuota } from './route-quota.js';
import type { QuotaStorage, ThrottlerStorageRecord, WindowHit } from './quota-storage.js';

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

/** A response whose headers can be set, of Fastify or of Express. */
export interface ResponseHeaders {
  header(name: string, value: string | number): unknown;
}

/** A window of a quota, with its name in the headers. */
interface NamedWindow extends WindowHit {
  /** Whose window it is. */
  readonly id: string;
  readonly policy: string;
}

/** State of a request that no quota counts. */
const UNCOUNTED: QuotaState = { exceeded: false, resetSeconds: 1 };

type CountedWindow = NamedWindow & ThrottlerStorageRecord;

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
   * Counts one request of a valid credential, or else of an address, and sets the headers of its response. Synchronous in
   * memory. Of several quotas, the headers describe the one with the smallest remainder.
   * @param route what the decorators of the handler say.
   * @param userId whose requests the quota of the route counts together; left out: those of the credential.
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

  /**
   * Takes back a request that {@link count} has counted for a holder without exceeding the quota. Synchronous if requests are
   * counted in memory.
   */
  undo(holder: QuotaHolder): MaybePromise<void> {
    const own = this.windowOfCredential(holder);
    return this.storage.undoAll(holder.shared === undefined ? [own] : [own, windowOf(CREDENTIAL_QUOTA, holder.shared)]);
  }

  /** Returns the windows in which a request counts, in their order. */
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

  /** Of an address; an IPv6 network of one customer is one: otherwise there would be 2^64 of them. */
  private windowOfAddress({ ip }: CountedRequest): NamedWindow {
    const id = normalizeIp(ip, this.options.ipv6SubnetPrefix);
    return windowOf(ADDRESS_QUOTA, { id, policy: ADDRESS_QUOTA, rateLimit: this.address });
  }
}

/** The length is part of the key: a key whose window was made shorter does not wait for the end of the longer one. */
function windowOf(quota: string, { id, policy, rateLimit: { requests, seconds } }: SharedQuota): NamedWindow {
  return { id, key: `${id}/${String(seconds)}`, windowMs: seconds * 1000, limit: requests, quota, policy };
}

/** Whether a window allows fewer further requests; of two that allow as many, whether it ends later. */
function isNearer(one: CountedWindow, other: CountedWindow): boolean {
  const left = one.limit - one.totalHits;
  const otherLeft = other.limit - other.totalHits;
  return left === otherLeft ? one.timeToExpire > other.timeToExpire : left < otherLeft;
}

/**
 * The headers that tell a client where it stands: the usual ones, and those of the IETF's
 * draft-ietf-httpapi-ratelimit-headers-11, which are structured fields: a list with one policy, its name a string.
 * @see SPEC §8
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
