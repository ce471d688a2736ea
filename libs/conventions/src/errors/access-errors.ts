import { ApiError } from './api-error.js';

/** 401: the credential is missing or invalid. SPEC §5 rule 1 */
export class UnauthorizedError extends ApiError {
  override readonly status = 401;
  override readonly code = 'unauthorized';

  /** @param challenges values of `WWW-Authenticate`, one for each method. RFC 9110 §11.6.1 */
  constructor(message: string, challenges: readonly string[]) {
    super(message, { headers: { 'www-authenticate': challenges } });
  }
}

/** 403: the credential is valid but lacks the scope. SPEC §5 rule 2, RFC 6750 §3.1 */
export class InsufficientScopeError extends ApiError {
  override readonly status = 403;
  override readonly code = 'insufficient_scope';

  /** @param others alternatives to `scope`; any one is enough. */
  constructor(scope: string, ...others: readonly string[]) {
    const needed =
      others.length === 0
        ? `the scope "${scope}", which the credential does not have`
        : `one of the scopes ${[scope, ...others].map((name) => `"${name}"`).join(', ')}; the credential has none of them`;
    super(`This operation needs ${needed}.`, {
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${[scope, ...others].join(' ')}"` },
    });
  }
}

/** 403: a rule of the application refuses the operation. */
export class ForbiddenError extends ApiError {
  override readonly status = 403;
  override readonly code = 'forbidden';
}

/** 403: the resource belongs to another user, or does not exist. SPEC §5.2 */
export class NotOwnerError extends ApiError {
  override readonly status = 403;
  override readonly code = 'not_owner';

  constructor() {
    super('Only its owner or an administrator may use this resource.');
  }
}

/** 429: no request is left in the quota. SPEC §8 */
export class RateLimitedError extends ApiError {
  override readonly status = 429;
  override readonly code = 'rate_limited';

  constructor(retryAfterSeconds: number) {
    super('The quota is used up. Wait for the number of seconds in Retry-After, then try again.', {
      headers: { 'retry-after': String(retryAfterSeconds) },
    });
  }
}
