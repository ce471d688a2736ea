import { type ErrorCode, type ErrorDetail, isMarked, VALIDATION_ERROR } from '@items/conventions';

/** Error codes of `/oauth`. RFC 6749 §5.2 */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'temporarily_unavailable'
  | 'server_error';

export interface ApiErrorFacts {
  readonly status: number;
  /**
   * `unexpected_response`: the response is a redirect or the page of a proxy. A newer service may send other codes.
   */
  readonly code: ErrorCode | OAuthErrorCode | 'unexpected_response';
  readonly message: string;
  /** Errors of single fields; empty if the response lists none. */
  readonly details?: readonly ErrorDetail[];
  /** Quote it when you contact the operator. */
  readonly requestId?: string | undefined;
  /** Whole seconds, counted from the response. */
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** The response is not a success, or not a response of the service. SPEC §7 */
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

/** 400 `expired_cursor`: a walk took too long and must start again from its first page. SPEC §4 */
export class ExpiredCursorError extends BadRequestError {
  override readonly name = 'ExpiredCursorError';
}

/** 401: no valid credential. */
export class AuthenticationError extends ItemsApiError {
  override readonly name = 'AuthenticationError';
}

/** 403: the credential is valid but lacks permission. */
export class PermissionError extends ItemsApiError {
  override readonly name = 'PermissionError';
}

export class NotFoundError extends ItemsApiError {
  override readonly name = 'NotFoundError';
}

/** 409: the request conflicts with the current state. */
export class ConflictError extends ItemsApiError {
  override readonly name = 'ConflictError';
}

/** 412: the resource has changed since it was read. */
export class PreconditionFailedError extends ItemsApiError {
  override readonly name = 'PreconditionFailedError';
}

/**
 * 422: `details` lists the invalid fields. `instanceof` is also true for the `ValidationError` of `@items/conventions`,
 * which `@items/fields` throws in web forms.
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

/** 429: the quota is used up, or there were too many wrong passwords. Retry after `retryAfterSeconds`. */
export class RateLimitError extends ItemsApiError {
  override readonly name = 'RateLimitError';
}

/** 5xx: the service or a proxy in front of it failed. */
export class ServerError extends ItemsApiError {
  override readonly name = 'ServerError';
}

/**
 * Error class of a 4xx status, if it has one, and the code for a response without one, which the specification allows.
 * SPEC §7
 */
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
const FAILURES: Readonly<Record<number, ErrorCode>> = {
  500: 'internal_error',
  502: 'bad_gateway',
  503: 'unavailable',
  504: 'gateway_timeout',
};

export function codeOf(status: number): ErrorCode | undefined {
  return FAMILIES[status]?.[1] ?? FAILURES[status];
}

export function apiError(facts: ApiErrorFacts): ItemsApiError {
  if (facts.code === 'expired_cursor') return new ExpiredCursorError(facts);
  const Family = FAMILIES[facts.status]?.[0] ?? (facts.status >= 500 ? ServerError : ItemsApiError);
  return new Family(facts);
}

export function isStatus(error: unknown, status: number): error is ItemsApiError {
  return error instanceof ItemsApiError && error.status === status;
}

/**
 * Whether the status says that the service did not process the request, so that it may be repeated. SPEC §7, seed
 * specification §8
 */
export function wasRefused(error: unknown): boolean {
  return isStatus(error, 429) || isStatus(error, 503);
}

/**
 * The response is missing or incomplete: connection refused or reset, timeout, truncated body. See `cause`. The service
 * may or may not have processed the request. Requests that are safe to repeat were already retried.
 */
export class ItemsNetworkError extends Error {
  override readonly name = 'ItemsNetworkError';
}
