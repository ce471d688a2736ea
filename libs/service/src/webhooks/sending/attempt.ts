/** Why an attempt was no success: the `error` of an attempt on the wire. */
export type AttemptError = 'timeout' | 'dns' | 'connect' | 'tls' | 'forbidden_address' | 'status';

/** One event, to be sent once to one receiver. */
export interface Attempt {
  readonly url: string;
  /** `webhook-id`: the same in each attempt for this event. */
  readonly eventId: string;
  /** The event as JSON. These bytes, as UTF-8, are signed and sent. */
  readonly body: string;
  /** `Api-Version`, the form in which `body` is. */
  readonly apiVersion: string;
  /** `whsec_…`: all that live; each of them signs. */
  readonly secrets: readonly string[];
  readonly userAgent: string;
  /** When the attempt is made: `webhook-timestamp`. */
  readonly at: Date;
  /** Gives the attempt up: it then throws the signal's reason, and has no result. */
  readonly signal?: AbortSignal | undefined;
}

/** What came of an attempt. Without an `error` the receiver has the event. */
export interface AttemptResult {
  readonly at: Date;
  /** In whole milliseconds, look-up and connection included. */
  readonly durationMs: number;
  /** What the receiver answered; null where no answer began. With `timeout`, its body did not end in time. */
  readonly statusCode: number | null;
  readonly error: AttemptError | null;
  /** It answered 410: it wants no more. */
  readonly gone: boolean;
  /** For how many seconds it asked to be left alone: `Retry-After` of 429 and 503, 3600 at most. */
  readonly holdSeconds: number | null;
}

/** An attempt that ended before an answer. */
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
