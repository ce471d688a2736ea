import { ApiError, type RateLimit } from '@items/conventions';

/** 400: more than one credential, or the same header twice. SPEC §5 */
export class AmbiguousCredentialError extends ApiError {
  override readonly status = 400;
  override readonly code = 'ambiguous_credential';

  constructor(ownHeaders: readonly string[] = []) {
    const others = ['X-API-Key', ...ownHeaders.slice(0, -1)];
    const last = ownHeaders.at(-1);
    const choice =
      last === undefined
        ? 'either X-API-Key or Authorization'
        : `one of Authorization, ${others.join(', ')} or ${last}`;
    super(`Send exactly one credential, once: ${choice}.`);
  }
}

/** 400: a credential in the URL. Logs and browser histories store URLs. SPEC §5 */
export class CredentialInUrlError extends ApiError {
  override readonly status = 400;
  override readonly code = 'credential_in_url';

  constructor() {
    super('Credentials never travel in a URL; treat this one as exposed, revoke it, and send the new one in a header.');
  }
}

/** 403: users can log in only at the identity provider (`PASSWORD_LOGIN=off`). */
export class PasswordLoginOffError extends ApiError {
  override readonly status = 403;
  override readonly code = 'password_login_off';

  constructor() {
    super('Passwords are off: log in by the identity provider.');
  }
}

/** 403: a new credential would have scopes that its creator lacks. SPEC §5 rule 3 */
export class ScopeEscalationError extends ApiError {
  override readonly status = 403;
  override readonly code = 'scope_escalation';

  constructor(scopes: readonly string[]) {
    super(`A credential cannot have scopes that its creator does not have: ${scopes.join(', ')}.`);
  }
}

/** 403: the key would have a larger quota than its creator. SPEC §5 rule 3, §8 */
export class QuotaEscalationError extends ApiError {
  override readonly status = 403;
  override readonly code = 'quota_escalation';

  constructor({ requests, seconds }: RateLimit) {
    const quota = `${String(requests)} requests in ${String(seconds)} s`;
    super(`"rate_limit" must not be more than your own quota, ${quota}; only an administrator gives more.`);
  }
}

/** 403: an application may not make this request for its user. ADR 18 */
export class DelegatedCredentialError extends ApiError {
  override readonly status = 403;
  override readonly code = 'delegated_credential';

  constructor() {
    super('An application may not do this for its user: use a credential of the user, such as the token of a login.');
  }
}

/** 403: a login with fewer scopes than its user. SPEC §5.2 */
export class NarrowedLoginError extends ApiError {
  override readonly status = 403;
  override readonly code = 'narrowed_login';

  constructor() {
    super(
      'This login has fewer scopes than its user, so it can only end its own session; log in without "scope" first.',
    );
  }
}

/** 403: a page sent a key that does not allow the page's origin. SPEC §5.3 */
export class OriginNotAllowedError extends ApiError {
  override readonly status = 403;
  override readonly code = 'origin_not_allowed';

  constructor() {
    super('This key is not allowed for pages of this origin.');
  }
}

/** 403: a credential over plain HTTP, although HTTPS is required. SPEC §5 */
export class HttpsRequiredError extends ApiError {
  override readonly status = 403;
  override readonly code = 'https_required';

  constructor() {
    super('Credentials must only be sent over HTTPS; treat this one as exposed and revoke it.');
  }
}

/** 429: too many wrong passwords from one address, for one account or in total. SPEC §8.3 */
export class TooManyFailuresError extends ApiError {
  override readonly status = 429;
  override readonly code = 'too_many_failures';

  /** The rate limit headers describe the limit of failures, not of requests. */
  constructor(limit: RateLimit, retryAfterSeconds: number) {
    const reset = String(retryAfterSeconds);
    super('Too many wrong passwords. Wait for the number of seconds in Retry-After, then try again.', {
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
