/**
 * The bounds that a value violates, so that clients can translate the message: `too_long {max}`, `too_short {min}`,
 * `too_many {max}`, `too_few {min}`, `out_of_range {min?, max?}`, `too_many_decimals {max}`, `not_allowed {values}`.
 * SPEC §7
 */
export interface ErrorParams {
  /** Inclusive, like `max`: a number of characters, elements or decimals, or the least value. */
  readonly min?: number;
  readonly max?: number;
  readonly values?: readonly string[];
}

/** One fault of one field of a request. SPEC §7 */
export interface ErrorDetail {
  /** Path in the body, or name of the query parameter: `name`, `lines.0.quantity`. */
  readonly field: string;
  readonly code: string;
  readonly message: string;
  /** Omitted for codes without a bound. */
  readonly params?: ErrorParams;
}

/** The body of a response with status 4xx or 5xx, except under `/oauth` (RFC 6749 §5.2). SPEC §7 */
export interface ErrorBody {
  readonly error: string;
  readonly code: string;
  /** Sorted by field; omitted if empty. */
  readonly details?: readonly ErrorDetail[];
}
