import type { ErrorBody, ErrorDetail } from '../error-body.js';

/** What an error says beside its sentence. */
export interface ApiErrorOptions {
  /** Sorted by field. */
  readonly details?: readonly ErrorDetail[];
  /** Headers of the answer, such as `Allow` or `Retry-After`; names in lower case. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** For the log only: never part of the answer. */
  readonly cause?: unknown;
}

/** V8's, as the platforms' types have it. */
const stacks = Error as { stackTraceLimit?: number | undefined };

/**
 * Anything the service refuses, with all that its answer needs. The answer to two same requests is the same byte for
 * byte: nothing in the body may vary (no id of the request, no time). It has no stack, which would cost as much as all else
 * of a refusal: a client has caused it, and where the service has, the stack is that of its cause.
 * @see SPEC §7
 */
export abstract class ApiError extends Error {
  /** HTTP status. */
  abstract readonly status: number;
  /** Stable, snake_case. */
  abstract readonly code: string;
  readonly details: readonly ErrorDetail[];
  readonly headers: Readonly<Record<string, string | readonly string[]>>;

  /** @param message a sentence for people; becomes the body's `error`. */
  constructor(message: string, options: ApiErrorOptions = {}) {
    const { stackTraceLimit } = stacks;
    stacks.stackTraceLimit = 0;
    super(message, { cause: options.cause });
    stacks.stackTraceLimit = stackTraceLimit;
    this.name = new.target.name;
    this.details = options.details ?? [];
    this.headers = options.headers ?? {};
  }

  /** The one shape of every error body. */
  toBody(): ErrorBody {
    const { message: error, code } = this;
    return this.details.length === 0 ? { error, code } : { error, code, details: this.details };
  }
}
