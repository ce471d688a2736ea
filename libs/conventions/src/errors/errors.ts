import type { ErrorParams } from '../error-body.js';
import { MAX_BODY_BYTES } from '../http.js';
import { ApiError, type ApiErrorOptions } from './api-error.js';
import { sizeInWords } from './size-in-words.js';

/** 400: the request is not valid HTTP. RFC 9112 */
export class MalformedRequestError extends ApiError {
  override readonly status = 400;
  override readonly code = 'malformed_request';
}

/** 400: the body is not valid JSON (RFC 8259, RFC 7493). SPEC §4 rule 6 */
export class MalformedBodyError extends ApiError {
  override readonly status = 400;
  override readonly code = 'malformed_body';
}

/** 400: a query parameter is unknown, repeated, or has an invalid value. SPEC §4 */
export class InvalidQueryError extends ApiError {
  override readonly status = 400;
  override readonly code = 'invalid_query';

  constructor(parameter: string, code: string, message: string, params?: ErrorParams) {
    super(message, { details: [{ field: parameter, code, message, ...(params !== undefined && { params }) }] });
  }
}

/** 400: the filters have too many combinations of values. SPEC §4.1 */
export class TooManyValuesError extends ApiError {
  override readonly status = 400;
  override readonly code = 'too_many_values';

  constructor(max: number) {
    super(`The filters have more than ${String(max)} combinations of values: ask for fewer values in each request.`);
  }
}

/** 400: the range cannot be combined with the rest of the query. SPEC §4.1 */
export class InvalidRangeError extends ApiError {
  override readonly status = 400;
  override readonly code = 'invalid_range';

  constructor(parameter: string, code: string, message: string) {
    super(message, { details: [{ field: parameter, code, message }] });
  }
}

export class InvalidHeaderError extends ApiError {
  override readonly status = 400;
  override readonly code = 'invalid_header';
}

/** 400: the cursor is forged, truncated, or from another collection, filter or sort. SPEC §4 Cursor rules */
export class InvalidCursorError extends ApiError {
  override readonly status = 400;
  override readonly code = 'invalid_cursor';

  constructor() {
    super('The cursor is not one that this list has issued; repeat the request without "cursor" to start again.');
  }
}

/** 400: the snapshot that the cursor reads is no longer retained. SPEC §4 Cursor rules */
export class ExpiredCursorError extends ApiError {
  override readonly status = 400;
  override readonly code = 'expired_cursor';

  constructor(message = 'The cursor has expired; the walk must restart: repeat the request without "cursor".') {
    super(message);
  }
}

/** 401: the credential is missing or invalid. SPEC §5 rule 1 */
export class UnauthorizedError extends ApiError {
  override readonly status = 401;
  override readonly code = 'unauthorized';

  /** @param challenges values of `WWW-Authenticate`, one for each scheme. RFC 9110 §11.6.1 */
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

/** 403: a rule of the app refuses the operation. */
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

/** 404: no resource has this path. SPEC §7 */
export class RouteNotFoundError extends ApiError {
  override readonly status = 404;
  override readonly code = 'route_not_found';

  constructor() {
    super('There is no resource at this path.');
  }
}

/** 404: something that the operation needs does not exist. */
export class NotFoundError extends ApiError {
  override readonly status = 404;
  override readonly code = 'not_found';
}

/** 404: the collection has no member with this id. SPEC §4 rule 4 */
export class ResourceNotFoundError extends ApiError {
  override readonly status = 404;
  override readonly code: string;

  /** @param resource in the singular: `item`, `API key`. */
  constructor(resource: string) {
    super(`There is no ${resource} with this id.`);
    this.code = `${resource.toLowerCase().replaceAll(' ', '_')}_not_found`;
  }
}

/** 404: `me` was used with a credential that has no user. SPEC §5.2 */
export class NoOwnUserError extends ApiError {
  override readonly status = 404;
  override readonly code = 'user_not_found';

  constructor() {
    super('This credential belongs to no user, so "me" has no meaning: use the id of a user.');
  }
}

/** 405: the path exists, but not for this method. SPEC §4 rule 3 */
export class MethodNotAllowedError extends ApiError {
  override readonly status = 405;
  override readonly code = 'method_not_allowed';

  /** @param allow the value of `Allow`, such as `GET, HEAD, OPTIONS`. */
  constructor(allow: string) {
    super(`This method is not allowed here; allowed: ${allow}.`, { headers: { allow } });
  }
}

export class RequestTimeoutError extends ApiError {
  override readonly status = 408;
  override readonly code = 'request_timeout';

  constructor() {
    super('The request did not arrive completely in time.');
  }
}

/** 409: the request contradicts the state of the resource. */
export class ConflictError extends ApiError {
  override readonly status = 409;
  override readonly code: string;

  constructor(code: string, message: string, options?: ApiErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** 412: the condition in `If-Match` or `If-None-Match` is false. RFC 9110 §13.1 */
export class PreconditionFailedError extends ApiError {
  override readonly status = 412;
  override readonly code = 'precondition_failed';

  constructor(header: 'If-Match' | 'If-None-Match' = 'If-Match') {
    super(
      header === 'If-Match'
        ? 'The resource has changed: its ETag does not match If-Match. Read it again, then repeat the change.'
        : 'The resource exists, and its ETag matches If-None-Match.',
    );
  }
}

/** 412: `If-Match` has only weak entity tags, which never match. SPEC §4.3, RFC 9110 §13.1.1 */
export class WeakEtagError extends ApiError {
  override readonly status = 412;
  override readonly code = 'weak_etag';

  constructor() {
    super(
      'If-Match has only weak entity tags, which never match: a proxy has weakened the ETag by compressing the response. Repeat the request without "W/" before the tag.',
    );
  }
}

/** 413: the body exceeds {@link MAX_BODY_BYTES} or `MAX_CREDENTIAL_BODY_BYTES`. SPEC §8, §4.5 */
export class BodyTooLargeError extends ApiError {
  override readonly status = 413;
  override readonly code = 'body_too_large';

  /** @param limit in bytes, a multiple of 1024; or the error message, if the limit is unknown. */
  constructor(limit: number | string = MAX_BODY_BYTES) {
    super(typeof limit === 'string' ? limit : `The request body is larger than ${sizeInWords(limit)}.`);
  }
}

/** 415: the media type is not JSON, or the body is compressed. */
export class UnsupportedMediaTypeError extends ApiError {
  override readonly status = 415;
  override readonly code = 'unsupported_media_type';

  constructor(message = 'The request body must be JSON: send "Content-Type: application/json".') {
    super(message, { headers: { accept: 'application/json', 'accept-encoding': 'identity' } });
  }
}

/** 422: the `Idempotency-Key` was used with another body. SPEC §4.4 */
export class IdempotencyKeyReusedError extends ApiError {
  override readonly status = 422;
  override readonly code = 'idempotency_key_reused';

  constructor() {
    super('This Idempotency-Key was already used with another body.');
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

/** 431: the header section is too large. RFC 6585 §5 */
export class HeadersTooLargeError extends ApiError {
  override readonly status = 431;
  override readonly code = 'headers_too_large';

  constructor() {
    super('The request line and headers are larger than 16 KiB.');
  }
}

/** 500: a fault of the service; the cause is only in the log. SPEC §7 */
export class InternalError extends ApiError {
  override readonly status = 500;
  override readonly code = 'internal_error';

  constructor(cause?: unknown, hasRequestId = true) {
    super(`Internal server error.${hasRequestId ? ' Quote the X-Request-Id when you report it.' : ''}`, { cause });
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
