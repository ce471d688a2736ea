import type { ErrorBody, ErrorDetail } from '../error-body.js';

export interface ApiErrorOptions {
  readonly details?: readonly ErrorDetail[];
  /** Names are in lower case, such as `allow` or `retry-after`. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Goes to the log, never to the client. */
  readonly cause?: unknown;
}

/** V8 has this property, but the types of ECMAScript do not. */
const stacks = Error as { stackTraceLimit?: number | undefined };

/**
 * Base class of the errors. The body contains no request id and no time, so that equal requests get equal bytes. No
 * stack is captured, because it would double the cost of an error response; for a fault of the service, the stack of
 * the cause is logged. SPEC §7
 */
export abstract class ApiError extends Error {
  abstract readonly status: number;
  abstract readonly code: string;
  readonly details: readonly ErrorDetail[];
  readonly headers: Readonly<Record<string, string | readonly string[]>>;

  /** @param message a sentence for people. */
  constructor(message: string, options: ApiErrorOptions = {}) {
    const { stackTraceLimit } = stacks;
    stacks.stackTraceLimit = 0;
    super(message, { cause: options.cause });
    stacks.stackTraceLimit = stackTraceLimit;
    this.name = new.target.name;
    this.details = options.details ?? [];
    this.headers = options.headers ?? {};
  }

  toBody(): ErrorBody {
    const { message: error, code } = this;
    return this.details.length === 0 ? { error, code } : { error, code, details: this.details };
  }
}
