import { type ApiError, isPromise, type MaybePromise, thenMaybe } from '@items/conventions';
import { AmbiguousCredentialError, CredentialInUrlError, HttpsRequiredError } from '../errors/access-errors.js';
import { type Presented, presentedCredential } from '../credentials/requests/presented-credential.js';
import { hasCredentialInUrl } from '@items/http';
import { Quota, type QuotaHolder } from '@items/throttling';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { CONFIG, type Config } from '../config/config.js';
import type { Principal } from '../principal/principal.js';
import { QuotaHolders, type QuotaUse } from '../throttling/quota-holders.js';
import { runStrategy } from './strategies/run-strategy.js';
import { Strategies } from './strategies/strategies.js';
import type { AdmissionResult } from './admission-result.js';

interface Identity {
  readonly principal: Principal | null;
  readonly failure: Error | null;
}

const UNKNOWN: Identity = { principal: null, failure: null };

/** Finds out who makes a request, and counts it: for every request of a counted route, and for unknown routes too. */
@Injectable()
export class Admission {
  private readonly requireHttps: boolean;
  private readonly holders: QuotaHolders;

  constructor(
    @Inject(CONFIG) config: Pick<Config, 'requireHttps' | 'rateLimit'>,
    private readonly strategies: Strategies,
    private readonly quota: Quota,
  ) {
    this.requireHttps = config.requireHttps;
    this.holders = new QuotaHolders(config.rateLimit);
  }

  /**
   * Identifies the credential and counts the request, for it or else for the client's address; sets the rate limit
   * headers and `request.principal`. Never throws for what the request is: the result says so. At once where the
   * credential is known and its quota is counted in this process.
   * @param use in which of the caller's quotas the request counts.
   */
  admit(request: FastifyRequest, reply: FastifyReply, use: QuotaUse = 'usual'): MaybePromise<AdmissionResult> {
    const presented = presentedCredential(request);
    const refusal = this.refusalFor(request, presented);
    const identity = isWorthLooking(presented, refusal) ? this.identify(request, presented) : UNKNOWN;
    return thenMaybe(identity, ({ principal, failure }) => {
      request.principal = principal;
      const holder: QuotaHolder | null = principal === null ? null : this.holders.holderOf(principal, use);
      return thenMaybe(this.quota.count(request, reply, holder), (quota) => {
        return { presented, principal, refusal, failure, quota };
      });
    });
  }

  /** Counts a request for the client's address, and sets the rate limit headers. */
  async countAddress(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.quota.count(request, reply, null);
  }

  /** Why every route refuses the request, for any caller; in the order of SPEC §1.3. */
  refusalFor(request: FastifyRequest, presented = presentedCredential(request)): ApiError | null {
    const inUrl = hasCredentialInUrl(request.raw.url ?? '');
    if (!inUrl && (presented.method === 'none' || (presented.method !== 'several' && !this.requireHttps))) return null;
    if (this.requireHttps && request.protocol !== 'https') return new HttpsRequiredError();
    if (inUrl) return new CredentialInUrlError();
    return presented.method === 'several' ? new AmbiguousCredentialError() : null;
  }

  /** Who makes a request that was admitted before, as far as is known now; nothing is counted. */
  async identifyAgain(request: FastifyRequest): Promise<Identity & Pick<AdmissionResult, 'presented'>> {
    const presented = presentedCredential(request);
    const identity = await this.identify(request, presented);
    request.principal = identity.principal;
    return { presented, ...identity };
  }

  private identify(request: FastifyRequest, presented: Presented): MaybePromise<Identity> {
    const strategy = this.strategies.strategyFor(presented);
    if (strategy === undefined) return UNKNOWN;
    try {
      const known = strategy.known?.(request);
      const principal = known === undefined ? runStrategy(strategy, request) : known;
      if (!isPromise(principal)) return { principal, failure: null };
      return principal.then((principal) => ({ principal, failure: null }), failed);
    } catch (error) {
      return failed(error);
    }
  }
}

function failed(error: unknown): Identity {
  return { principal: null, failure: error as Error };
}

/** A credential that came over plain HTTP counts for no one; one beside another in the URL still counts for its owner. */
function isWorthLooking(presented: Presented, refusal: ApiError | null): boolean {
  return presented.method !== 'none' && (refusal === null || refusal instanceof CredentialInUrlError);
}
