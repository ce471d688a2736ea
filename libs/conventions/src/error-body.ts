/**
 * The bounds that a value misses, so that clients can translate the sentence: `too_long {max}`,
 * `too_short {min}`, `too_many {max}`, `too_few {min}`, `out_of_range {min?, max?}`,
 * `too_many_decimals {max}`, `not_allowed {values}`. SPEC §7
 */
export interface ErrorParams {
  /** Inclusive: characters, elements, or the value itself. */
  readonly min?: number;
  /** Inclusive: characters, elements, decimals, or the value itself. */
  readonly max?: number;
  /** Allowed values. */
  readonly values?: readonly string[];
}

/** One thing that is wrong with one field of a request. SPEC §7 */
export interface ErrorDetail {
  /** Path of the field in the body, or the name of the query parameter: `name`, `lines.0.quantity`. */
  readonly field: string;
  /** Stable, snake_case. */
  readonly code: string;
  /** A sentence for people that names the field. */
  readonly message: string;
  /** Omitted for codes without a bound. */
  readonly params?: ErrorParams;
}

/** The body of a response with status 4xx or 5xx, except under `/oauth` (RFC 6749 §5.2). SPEC §7 */
export interface ErrorBody {
  /** A sentence for people. */
  readonly error: string;
  /** Stable, snake_case; programs branch on it. */
  readonly code: string;
  /** Sorted by field; omitted if empty. */
  readonly details?: readonly ErrorDetail[];
}
