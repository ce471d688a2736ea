import type { Presented } from '../credentials/requests/challenges.js';
import { isPromise, type MaybePromise } from '@items/conventions';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import type { Principal } from '../principal/principal.js';
import { ApiKeyStrategy } from './api-key/api-key.strategy.js';
import { BasicStrategy } from './basic/basic.strategy.js';
import { BearerStrategy } from './bearer/bearer.strategy.js';

/**
 * Counts the credentials in the raw headers: Node drops a second Authorization, and joins a second X-API-Key to the
 * first, so that the parsed headers cannot tell.
 */
export function presentedCredential({ raw }: FastifyRequest): Presented {
  const { 'x-api-key': apiKey, authorization } = raw.headers;
  if (apiKey === undefined && authorization === undefined) return { method: 'none' };
  let count = 0;
  for (let index = 0; index < raw.rawHeaders.length; index += 2) {
    const name = raw.rawHeaders[index] ?? '';
    // By length first: nearly every header is distinguished without making a lower case copy of its name.
    if (name.length === 9 && name.toLowerCase() === 'x-api-key') count++;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') count++;
  }
  if (count > 1) return { method: 'several' };
  if (authorization === undefined) return { method: 'api-key' };
  const [scheme = ''] = authorization.split(/[ \t]/, 1);
  return { method: 'authorization', scheme: scheme.toLowerCase() };
}

/** Who makes a request, as far as its credential tells. */
export interface Identity {
  /** Null without a valid credential. */
  readonly principal: Principal | null;
  /** Why it is not known whether the credential is valid, such as a database that is down. */
  readonly failure: Error | undefined;
}

export const NOBODY: Identity = { principal: null, failure: undefined };

/** A strategy of Passport, which calls one of `success`, `fail` and `error` of its `this`. */
interface CredentialStrategy {
  /** The caller, where the strategy has verified this credential within the life of its cache. */
  cached(request: FastifyRequest): MaybePromise<Principal | undefined>;
  authenticate(request: unknown): void;
}

/** Finds the caller whose credential a request brings. Exactly one strategy is asked. */
@Injectable()
export class Credentials {
  /** By scheme of Authorization, in lower case. */
  private readonly byScheme: ReadonlyMap<string, CredentialStrategy>;

  constructor(
    private readonly apiKey: ApiKeyStrategy,
    basic: BasicStrategy,
    bearer: BearerStrategy,
  ) {
    this.byScheme = new Map<string, CredentialStrategy>([
      ['basic', basic],
      ['bearer', bearer],
    ]);
  }

  /** Never throws. */
  identify(request: FastifyRequest, presented: Presented): MaybePromise<Identity> {
    if (presented.method === 'none' || presented.method === 'several') return NOBODY;
    const strategy = presented.method === 'api-key' ? this.apiKey : this.byScheme.get(presented.scheme);
    if (strategy === undefined) return NOBODY;
    try {
      const cached = strategy.cached(request);
      if (cached === undefined) return verified(strategy, request);
      if (!isPromise(cached)) return { principal: cached, failure: undefined };
      return cached.then((caller) => (caller === undefined ? verified(strategy, request) : valid(caller)), failed);
    } catch (error) {
      return failed(error);
    }
  }
}

/**
 * Runs a strategy on a request, as Passport's own middleware does. The middleware itself is left out: it takes strategies
 * from a singleton that all applications of a process share, and asks for a response of Express.
 */
function verified(strategy: CredentialStrategy, request: FastifyRequest): Promise<Identity> {
  return new Promise((resolve) => {
    const outcome = {
      success: (caller: Principal): void => resolve(valid(caller)),
      fail: (): void => resolve(NOBODY),
      error: (reason: unknown): void => resolve(failed(reason)),
    };
    Object.assign(Object.create(strategy) as CredentialStrategy, outcome).authenticate(request);
  });
}

function valid(principal: Principal): Identity {
  return { principal, failure: undefined };
}

function failed(failure: unknown): Identity {
  return { principal: null, failure: failure as Error };
}
