/**
 * The bounds that a value has missed, so that clients can say it in other languages: `too_long {max}`, `too_short {min}`,
 * `too_many {max}`, `too_few {min}`, `out_of_range {min?, max?}`, `too_many_decimals {max}`, `not_allowed {values}` where
 * there is a list of what is allowed. SPEC §7
 */
export interface ErrorParams {
  /** Characters, elements, or the value itself; included. */
  readonly min?: number;
  /** Characters, elements, decimals, or the value itself; included. */
  readonly max?: number;
  /** All that is allowed. */
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
  /** Only with the codes that have such. */
  readonly params?: ErrorParams;
}

/** The body of every answer with status 4xx or 5xx, except under `/oauth` (RFC 6749 §5.2). SPEC §7 */
export interface ErrorBody {
  /** A sentence for people. */
  readonly error: string;
  /** Stable, snake_case: what programs branch on. */
  readonly code: string;
  /** Only where there are any; sorted by field. */
  readonly details?: readonly ErrorDetail[];
}
