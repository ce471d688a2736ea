import type { RateLimit, Scope } from '@items/contracts';

import { ApiError } from './api-error.js';

/** 400: more than one credential, or the same header twice. SPEC §5 */
export class AmbiguousCredentialError extends ApiError {
  override readonly status = 400;
  override readonly code = 'ambiguous_credential';

  constructor() {
    super('Send exactly one credential, once: either X-API-Key or Authorization.');
  }
}

/** 400: a credential in the URL, where logs and histories keep it. SPEC §5 */
export class CredentialInUrlError extends ApiError {
  override readonly status = 400;
  override readonly code = 'credential_in_url';

  constructor() {
    super('Credentials never travel in a URL; treat this one as exposed, revoke it, and send the new one in a header.');
  }
}

/** 401: no credential, or one that is not valid. SPEC §5 rule 1 */
export class UnauthorizedError extends ApiError {
  override readonly status = 401;
  override readonly code = 'unauthorized';

  /** @param challenges the values of `WWW-Authenticate`, one for each method. RFC 9110 §11.6.1 */
  constructor(message: string, challenges: readonly string[]) {
    super(message, { headers: { 'www-authenticate': challenges } });
  }
}

/** 403: a valid credential that does not hold the scope. SPEC §5 rule 2, RFC 6750 §3.1 */
export class InsufficientScopeError extends ApiError {
  override readonly status = 403;
  override readonly code = 'insufficient_scope';

  constructor(scope: Scope) {
    super(`This operation needs the scope "${scope}", which the credential does not have.`, {
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
    });
  }
}

/** 403: a new credential would hold more than its creator. SPEC §5 rule 3 */
export class ScopeEscalationError extends ApiError {
  override readonly status = 403;
  override readonly code = 'scope_escalation';

  constructor(scopes: readonly Scope[]) {
    super(`A credential cannot hold more than its creator, who lacks: ${scopes.join(', ')}.`);
  }
}

/** 403: a key would have a larger quota than who makes it. SPEC §5 rule 3, §8 */
export class QuotaEscalationError extends ApiError {
  override readonly status = 403;
  override readonly code = 'quota_escalation';

  /** @param held the quota of the caller. */
  constructor({ requests, seconds }: RateLimit) {
    const quota = `${String(requests)} requests in ${String(seconds)} s`;
    super(`"rate_limit" must not be more than your own quota, ${quota}; only an administrator gives more.`);
  }
}

/** 403: what belongs to another user, whether or not it exists. authentication.md "Scopes and roles" */
export class NotOwnerError extends ApiError {
  override readonly status = 403;
  override readonly code = 'not_owner';

  constructor() {
    super('This belongs to another user, or to nobody; only an administrator has access to it.');
  }
}

/** 403: an application that acts for a user, where only the user himself may. ADR 18 */
export class DelegatedCredentialError extends ApiError {
  override readonly status = 403;
  override readonly code = 'delegated_credential';

  constructor() {
    super('An application may not do this for its user: it needs a credential of his own, such as that of a login.');
  }
}

/** 403: a key for pages of certain origins, used by a page of another one. authentication.md "API keys" */
export class OriginNotAllowedError extends ApiError {
  override readonly status = 403;
  override readonly code = 'origin_not_allowed';

  constructor() {
    super('This key is not allowed for pages of this origin.');
  }
}

/** 403: a credential over plain HTTP, where HTTPS is required. SPEC §5 */
export class HttpsRequiredError extends ApiError {
  override readonly status = 403;
  override readonly code = 'https_required';

  constructor() {
    super('Credentials must only be sent over HTTPS; treat this one as exposed and revoke it.');
  }
}

/** 429: the quota is used up. SPEC §8 */
export class RateLimitedError extends ApiError {
  override readonly status = 429;
  override readonly code = 'rate_limited';

  /** @param retryAfterSeconds whole, at least 1. */
  constructor(retryAfterSeconds: number) {
    super('The quota is used up; Retry-After says when to come back.', {
      headers: { 'retry-after': String(retryAfterSeconds) },
    });
  }
}

/** 429: too many wrong passwords, from one address for one account, or for many. decisions §8 */
export class TooManyFailuresError extends ApiError {
  override readonly status = 429;
  override readonly code = 'too_many_failures';

  /**
   * The headers of the quota say what was exceeded: for once it is not the number of requests.
   * @param retryAfterSeconds whole, at least 1.
   */
  constructor(limit: RateLimit, retryAfterSeconds: number) {
    const reset = String(retryAfterSeconds);
    super('There were too many wrong passwords; Retry-After says when to try again.', {
      headers: {
        'retry-after': reset,
        'x-ratelimit-limit': String(limit.requests),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': reset,
        'ratelimit-policy': `"login";q=${String(limit.requests)};w=${String(limit.seconds)}`,
        ratelimit: `"login";r=0;t=${reset}`,
      },
    });
  }
}
