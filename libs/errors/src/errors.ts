import { SUPPORTED_API_VERSIONS, type ErrorDetail, type RateLimit, type Scope } from '@items/contracts';

import { ApiError, type ApiErrorOptions } from './api-error.js';

/** 400: the request is not HTTP, or not encoded as HTTP asks. RFC 9112 */
export class MalformedRequestError extends ApiError {
  override readonly status = 400;
  override readonly code = 'malformed_request';
}

/** 400: the body is not JSON as RFC 8259 and RFC 7493 (I-JSON) have it. SPEC §4 rule 6 */
export class MalformedBodyError extends ApiError {
  override readonly status = 400;
  override readonly code = 'malformed_body';
}

/** 400: a query parameter that is unknown, given twice, or has a value it cannot have. SPEC §4 */
export class InvalidQueryError extends ApiError {
  override readonly status = 400;
  override readonly code = 'invalid_query';

  constructor(parameter: string, code: string, message: string) {
    super(message, { details: [{ field: parameter, code, message }] });
  }
}

/** 400: a header whose value cannot be used. */
export class InvalidHeaderError extends ApiError {
  override readonly status = 400;
  override readonly code = 'invalid_header';
}

/** 400: forged, cut, or made for another collection, filter or sort. SPEC §4 Cursor rules */
export class InvalidCursorError extends ApiError {
  override readonly status = 400;
  override readonly code = 'invalid_cursor';

  constructor() {
    super('The cursor is not one that this list has issued; repeat the request without "cursor" to start again.');
  }
}

/** 400: the walk is older than its snapshot is kept. SPEC §4 Cursor rules */
export class ExpiredCursorError extends ApiError {
  override readonly status = 400;
  override readonly code = 'expired_cursor';

  constructor() {
    super('The cursor has expired; the walk must restart: repeat the request without "cursor".');
  }
}

/** 400: an `Api-Version` that the service does not speak. SPEC §9 */
export class UnsupportedVersionError extends ApiError {
  override readonly status = 400;
  override readonly code = 'unsupported_api_version';

  constructor() {
    super(`This Api-Version is not supported; supported: ${SUPPORTED_API_VERSIONS.join(', ')}.`);
  }
}

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

/** 403: what belongs to another user, whether or not it exists. authentication.md "Scopes and roles" */
export class NotOwnerError extends ApiError {
  override readonly status = 403;
  override readonly code = 'not_owner';

  constructor() {
    super('This belongs to another user, or to nobody; only an administrator has access to it.');
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

/** 404: no resource has this path. SPEC §7 */
export class RouteNotFoundError extends ApiError {
  override readonly status = 404;
  override readonly code = 'route_not_found';

  constructor() {
    super('There is no resource at this path.');
  }
}

/** 404: the collection has no member with this id. SPEC §4 rule 4 */
export class ResourceNotFoundError extends ApiError {
  override readonly status = 404;
  override readonly code: string;

  /** @param resource in the singular, in words: `item`, `API key`. */
  constructor(resource: string) {
    super(`There is no ${resource} with this id.`);
    this.code = `${resource.toLowerCase().replaceAll(' ', '_')}_not_found`;
  }
}

/** 404: `me`, for a credential that belongs to no user. authentication.md "Scopes and roles" */
export class NoOwnUserError extends ApiError {
  override readonly status = 404;
  override readonly code = 'user_not_found';

  constructor() {
    super('This credential belongs to no user, so that "me" is nobody; name the user by its id.');
  }
}

/** 405: the path is known, the method is not. SPEC §4 rule 3 */
export class MethodNotAllowedError extends ApiError {
  override readonly status = 405;
  override readonly code = 'method_not_allowed';

  /** @param allow the value of `Allow`, such as `GET, HEAD, OPTIONS`. */
  constructor(allow: string) {
    super(`This method is not allowed here; allowed: ${allow}.`, { headers: { allow } });
  }
}

/** 408: the request did not arrive in time. */
export class RequestTimeoutError extends ApiError {
  override readonly status = 408;
  override readonly code = 'request_timeout';

  constructor() {
    super('The request did not arrive completely in time.');
  }
}

/** 409: what is asked for contradicts the state of the resource. */
export class ConflictError extends ApiError {
  override readonly status = 409;
  override readonly code: string;

  constructor(code: string, message: string, options?: ApiErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** 412: the resource is not in the state that `If-Match` names. RFC 9110 §13.1.1 */
export class PreconditionFailedError extends ApiError {
  override readonly status = 412;
  override readonly code = 'precondition_failed';

  constructor() {
    super('The resource has changed: its ETag is not the one this request was made for.');
  }
}

/** 413: a body beyond {@link MAX_BODY_BYTES}. SPEC §8 */
export class BodyTooLargeError extends ApiError {
  override readonly status = 413;
  override readonly code = 'body_too_large';

  constructor() {
    super('The request body is larger than 1 MiB.');
  }
}

/** 415: a body in another media type or content coding than plain JSON. */
export class UnsupportedMediaTypeError extends ApiError {
  override readonly status = 415;
  override readonly code = 'unsupported_media_type';

  constructor(message = 'The request body must be JSON: send "Content-Type: application/json".') {
    super(message, { headers: { accept: 'application/json', 'accept-encoding': 'identity' } });
  }
}

/** 417: an expectation other than `100-continue`. RFC 9110 §10.1.1 */
export class ExpectationFailedError extends ApiError {
  override readonly status = 417;
  override readonly code = 'expectation_failed';

  constructor() {
    super('The only expectation this service can meet is "100-continue".');
  }
}

/** Most details that one error lists; what is beyond is only counted. decisions §2 */
export const MAX_DETAILS = 20;
/** How many details the sentence for people repeats. */
const MAX_SENTENCES = 3;

/** 422: valid JSON with invalid content; each detail names its field. SPEC §4 rule 5 */
export class ValidationError extends ApiError {
  override readonly status = 422;
  override readonly code = 'validation_failed';

  /** @param problems all of them, at least one, in any order. */
  constructor(problems: readonly ErrorDetail[]) {
    const ranked = [...problems].sort((a, b) => Number(isUnknown(a)) - Number(isUnknown(b)) || byField(a, b));
    super(sentenceFor(ranked), { details: ranked.slice(0, MAX_DETAILS).sort(byField) });
  }
}

/** Unknown fields come last, so that a heap of them never hides what the resource itself lacks. */
function isUnknown({ code }: ErrorDetail): boolean {
  return code === 'unknown_field';
}

/** By code unit and without allocations: a hostile body has a hundred thousand unknown fields. */
function byField(a: ErrorDetail, b: ErrorDetail): number {
  return compare(a.field, b.field) || compare(a.code, b.code) || compare(a.message, b.message);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function sentenceFor(details: readonly ErrorDetail[]): string {
  const shown = details.slice(0, MAX_SENTENCES).map((detail) => detail.message);
  const hidden = details.length - shown.length;
  return hidden === 0 ? shown.join(' ') : `${shown.join(' ')} And ${String(hidden)} more.`;
}

/** 422: the `Idempotency-Key` was used for another request. decisions §4 */
export class IdempotencyKeyReusedError extends ApiError {
  override readonly status = 422;
  override readonly code = 'idempotency_key_reused';

  constructor() {
    super('This Idempotency-Key was already used with another body.');
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

/** 431: more header than the service reads. RFC 6585 §5 */
export class HeadersTooLargeError extends ApiError {
  override readonly status = 431;
  override readonly code = 'headers_too_large';

  constructor() {
    super('The request line and headers are larger than 16 KiB.');
  }
}

/** 500: a fault of the service; what happened stands in the log only. SPEC §7 */
export class InternalError extends ApiError {
  override readonly status = 500;
  override readonly code = 'internal_error';

  constructor(cause?: unknown) {
    super('The service made a mistake; it is in its log.', { cause });
  }
}

/** 503: overloaded, stopping, or without its database. SPEC §7 */
export class ServiceUnavailableError extends ApiError {
  override readonly status = 503;
  override readonly code: string;

  constructor(code: string, message: string, options: { retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(message, { headers: { 'retry-after': String(options.retryAfterSeconds ?? 1) }, cause: options.cause });
    this.code = code;
  }
}
