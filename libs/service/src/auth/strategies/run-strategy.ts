import type { MaybePromise } from '@items/conventions';
import type { FastifyRequest } from 'fastify';

import type { Principal } from '../../principal/principal.js';

/** What Passport asks of a strategy: to call one of `success`, `fail` and `error` of its `this`. */
export interface CredentialStrategy {
  authenticate(request: unknown): void;
  /** What can be said without waiting; undefined where the strategy has to be run. */
  known?(request: FastifyRequest): MaybePromise<Principal | null> | undefined;
}

/** What Passport gives a strategy for one request. */
interface Outcome {
  success: (principal: Principal) => void;
  fail: () => void;
  error: (reason: Error) => void;
}

/**
 * Runs one strategy on one request, as Passport's own middleware does: a strategy writes to the response only through
 * its outcome. The middleware itself is left out, for it takes strategies from a singleton that all applications of a
 * process share, and asks for a response of Express.
 * @returns null for a credential that is not valid.
 */
export function runStrategy(strategy: CredentialStrategy, request: FastifyRequest): Promise<Principal | null> {
  return new Promise((resolve, reject) => {
    const run = Object.create(strategy) as CredentialStrategy & Outcome;
    run.success = resolve;
    run.fail = () => {
      resolve(null);
    };
    run.error = reject;
    run.authenticate(request);
  });
}
