import type { RateLimit } from '@items/contracts';
import { Injectable } from '@nestjs/common';
import { InjectThrottlerOptions, InjectThrottlerStorage, normalizeIp, ThrottlerStorage } from '@nestjs/throttler';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { ADDRESS_QUOTA, CREDENTIAL_QUOTA } from './quota-names.js';
import type { QuotaOptions } from './quota-options.js';
import { setRateHeaders } from './rate-headers.js';

/** Whom a request is counted for: a valid credential, which may have a quota of its own. */
interface Holder {
  readonly credentialId: string;
  readonly rateLimit: RateLimit | null;
}

/** Where a request stands within its quota. */
export interface Standing {
  readonly exceeded: boolean;
  /** Whole, at least 1. */
  readonly resetSeconds: number;
}

/** Counts requests, one quota a credential, shared by all routes, or else one an address. SPEC §8 */
@Injectable()
export class Quota {
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

  /** Counts one request of a valid credential, or of an address where there is none, and says so in its answer. */
  async count(request: FastifyRequest, reply: FastifyReply, holder: Holder | null): Promise<Standing> {
    const name = holder === null ? ADDRESS_QUOTA : CREDENTIAL_QUOTA;
    const limit = holder === null ? this.address : (holder.rateLimit ?? this.credential);
    const tracker = holder === null ? this.addressOf(request) : holder.credentialId;
    const windowMs = limit.seconds * 1000;
    // The length is part of the key: a key whose window was made shorter does not wait for the end of the longer one.
    const key = `${tracker}/${String(limit.seconds)}`;
    const { totalHits, timeToExpire } = await this.storage.increment(key, windowMs, limit.requests, windowMs, name);
    setRateHeaders(reply, name, limit, Math.max(0, limit.requests - totalHits), timeToExpire);
    return { exceeded: totalHits > limit.requests, resetSeconds: timeToExpire };
  }

  /** An IPv6 network of one customer is one address: he could count through 2^64 of them. */
  private addressOf(request: FastifyRequest): string {
    return normalizeIp(request.ip, this.options.ipv6SubnetPrefix);
  }
}
