import { ApiError } from './api-error.js';

/** 500: a fault of the service; the cause is only in the log. SPEC §7 */
export class InternalError extends ApiError {
  override readonly status = 500;
  override readonly code = 'internal_error';

  /** @param hasRequestId whether a client can quote an `X-Request-Id`. */
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
