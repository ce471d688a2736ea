import { type ErrorCode, type ErrorDetail, isMarked, VALIDATION_ERROR } from '@items/conventions';

/** Codes of RFC 6749 §5.2, which `/oauth` answers with. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'temporarily_unavailable'
  | 'server_error';

/** What an error of the API says. */
export interface ApiErrorFacts {
  /** HTTP status. */
  readonly status: number;
  /** `unexpected_response`: this is not the service's answer; a proxy's page, say, or a redirect. A newer service may send others. */
  readonly code: ErrorCode | OAuthErrorCode | 'unexpected_response';
  /** A sentence for people. */
  readonly message: string;
  /** What is wrong with which field; empty where nothing is said. */
  readonly details?: readonly ErrorDetail[];
  /** For a question to the operator. */
  readonly requestId?: string | undefined;
  /** Whole seconds from the answer on. */
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** The service refused: an answer that is not 2xx, or none of the service's own. SPEC §7 */
export class ItemsApiError extends Error {
  override readonly name: string = 'ItemsApiError';
  declare readonly status: number;
  declare readonly code: ApiErrorFacts['code'];
  declare readonly details: readonly ErrorDetail[];
  declare readonly requestId: string | undefined;
  declare readonly retryAfterSeconds: number | undefined;

  constructor({ message, cause, ...facts }: ApiErrorFacts) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, { details: [], ...facts });
  }
}

/** 400: the request or its query is malformed. */
export class BadRequestError extends ItemsApiError {
  override readonly name: string = 'BadRequestError';
}

/** 400 `expired_cursor`: a walk has taken too long and must start again from its first page. SPEC §4 */
export class ExpiredCursorError extends BadRequestError {
  override readonly name = 'ExpiredCursorError';
}

/** 401: no valid credential. */
export class AuthenticationError extends ItemsApiError {
  override readonly name = 'AuthenticationError';
}

/** 403: a valid credential that may not do this. */
export class PermissionError extends ItemsApiError {
  override readonly name = 'PermissionError';
}

/** 404: there is no such resource. */
export class NotFoundError extends ItemsApiError {
  override readonly name = 'NotFoundError';
}

/** 409: it contradicts the present state. */
export class ConflictError extends ItemsApiError {
  override readonly name = 'ConflictError';
}

/** 412: the resource has changed since. */
export class PreconditionFailedError extends ItemsApiError {
  override readonly name = 'PreconditionFailedError';
}

/**
 * 422: `details` says which fields are wrong. `instanceof` is true for that of `@items/conventions` as well, which the validation
 * of `@items/fields` throws in a form.
 */
export class ValidationError extends ItemsApiError {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isMarked(value, VALIDATION_ERROR);
  }

  get [VALIDATION_ERROR](): true {
    return true;
  }

  override readonly name = 'ValidationError';
}

/** 429: the quota is used up, or there were too many wrong passwords; `retryAfterSeconds` says when to return. */
export class RateLimitError extends ItemsApiError {
  override readonly name = 'RateLimitError';
}

/** 5xx: the service, or a proxy before it, has failed. */
export class ServerError extends ItemsApiError {
  override readonly name = 'ServerError';
}

/** Family of each 4xx status, and the code of a response without one: the specification requires none. SPEC §7 */
const FAMILIES: Readonly<Record<number, readonly [typeof ItemsApiError, ErrorCode]>> = {
  400: [BadRequestError, 'bad_request'],
  401: [AuthenticationError, 'unauthorized'],
  403: [PermissionError, 'forbidden'],
  404: [NotFoundError, 'not_found'],
  409: [ConflictError, 'conflict'],
  412: [PreconditionFailedError, 'precondition_failed'],
  422: [ValidationError, 'validation_failed'],
  429: [RateLimitError, 'rate_limited'],
};
/** Codes of each 5xx status. */
const FAILURES: Readonly<Record<number, ErrorCode>> = {
  500: 'internal_error',
  502: 'bad_gateway',
  503: 'unavailable',
  504: 'gateway_timeout',
};

/** The code of a status. */
export function codeOf(status: number): ErrorCode | undefined {
  return FAMILIES[status]?.[1] ?? FAILURES[status];
}

/** The error of the family that a status, or a code that stands out, belongs to. */
export function apiError(facts: ApiErrorFacts): ItemsApiError {
  if (facts.code === 'expired_cursor') return new ExpiredCursorError(facts);
  const Family = FAMILIES[facts.status]?.[0] ?? (facts.status >= 500 ? ServerError : ItemsApiError);
  return new Family(facts);
}
