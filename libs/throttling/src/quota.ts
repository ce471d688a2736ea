import { type Eventual, type RateLimit, andThen } from '@items/conventions';
import { Injectable } from '@nestjs/common';
import { InjectThrottlerOptions, InjectThrottlerStorage, normalizeIp, ThrottlerStorage } from '@nestjs/throttler';

import { ADDRESS_QUOTA, CREDENTIAL_QUOTA } from './quota-names.js';
import type { QuotaOptions } from './quota-options.js';
import { MemoryThrottlerStorage } from './memory-throttler-storage.js';
import { setRateHeaders, type AnswerHeaders } from './rate-headers.js';

/** Whom a request is counted for: a valid credential, which may have a quota of its own. */
export interface QuotaHolder {
  readonly credentialId: string;
  readonly rateLimit: RateLimit | null;
}

/** A request, of Fastify or of Express. */
export interface CountedRequest {
  /** Of the client. */
  readonly ip: string;
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
    @InjectThrottlerStorage() private readonly storage: ThrottlerStorage,
  ) {
    const [credential, address] = options.throttlers;
    this.credential = { requests: credential.limit, seconds: credential.ttl / 1000 };
    this.address = { requests: address.limit, seconds: address.ttl / 1000 };
  }

  /**
   * Counts one request of a valid credential, or of an address where there is none, and says so in its answer; at once
   * where it is counted in memory.
   */
  count(request: CountedRequest, reply: AnswerHeaders, holder: QuotaHolder | null): Eventual<QuotaState> {
    const name = holder === null ? ADDRESS_QUOTA : CREDENTIAL_QUOTA;
    const limit = holder === null ? this.address : (holder.rateLimit ?? this.credential);
    const tracker = holder === null ? this.addressOf(request) : holder.credentialId;
    const windowMs = limit.seconds * 1000;
    // The length is part of the key: a key whose window was made shorter does not wait for the end of the longer one.
    const key = `${tracker}/${String(limit.seconds)}`;
    const { storage } = this;
    const record =
      storage instanceof MemoryThrottlerStorage
        ? storage.hit(key, windowMs, limit.requests, name)
        : storage.increment(key, windowMs, limit.requests, windowMs, name);
    return andThen(record, ({ totalHits, timeToExpire }) => {
      setRateHeaders(reply, name, limit, Math.max(0, limit.requests - totalHits), timeToExpire);
      const exceeded = totalHits > limit.requests;
      this.counted[name][exceeded ? 'refused' : 'allowed'] += 1;
      return { exceeded, resetSeconds: timeToExpire };
    });
  }

  /** An IPv6 network of one customer is one address: otherwise there would be 2^64 of them. */
  private addressOf(request: CountedRequest): string {
    return normalizeIp(request.ip, this.options.ipv6SubnetPrefix);
  }
}
