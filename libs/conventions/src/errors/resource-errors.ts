import { ApiError, type ApiErrorOptions } from './api-error.js';

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

/** 405: the path is known, the method is not. SPEC §4 rule 3 */
export class MethodNotAllowedError extends ApiError {
  override readonly status = 405;
  override readonly code = 'method_not_allowed';

  /** @param allow the value of `Allow`, such as `GET, HEAD, OPTIONS`. */
  constructor(allow: string) {
    super(`This method is not allowed here; allowed: ${allow}.`, { headers: { allow } });
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

/** 412: `If-Match` or `If-None-Match` does not hold. RFC 9110 §13.1 */
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

/** 422: the `Idempotency-Key` was used for another request. SPEC §4.4 */
export class IdempotencyKeyReusedError extends ApiError {
  override readonly status = 422;
  override readonly code = 'idempotency_key_reused';

  constructor() {
    super('This Idempotency-Key was already used with another body.');
  }
}
