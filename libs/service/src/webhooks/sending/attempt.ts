/** Values of an attempt's `error` in the API. */
export type AttemptError = 'timeout' | 'dns' | 'connect' | 'tls' | 'forbidden_address' | 'status';

export interface Attempt {
  readonly url: string;
  /** `webhook-id`: the same in each attempt for this event. */
  readonly eventId: string;
  /** The event as JSON. Its UTF-8 bytes are signed and sent. */
  readonly body: string;
  readonly apiVersion: string;
  readonly secrets: readonly string[];
  readonly userAgent: string;
  readonly at: Date;
}

/** Without an `error`, the receiver has accepted the event. */
export interface AttemptResult {
  readonly at: Date;
  /** In whole milliseconds, including DNS and connection. */
  readonly durationMs: number;
  /** Null without a response. With the error `timeout`, a status code means an incomplete body. */
  readonly statusCode: number | null;
  readonly error: AttemptError | null;
  /** The receiver responded with 410: it wants no more events. */
  readonly gone: boolean;
  /** Requested pause: `Retry-After` of 429 and 503, at most 3600. */
  readonly holdSeconds: number | null;
}

export class AttemptFailure extends Error {
  override readonly name = 'AttemptFailure';

  constructor(
    readonly reason: AttemptError,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
