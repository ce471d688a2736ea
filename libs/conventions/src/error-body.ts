/** One thing that is wrong with one field of a request. SPEC §7 */
export interface ErrorDetail {
  /** Path of the field in the body, or the name of the query parameter: `name`, `lines.0.quantity`. */
  readonly field: string;
  /** Stable, snake_case. */
  readonly code: string;
  /** A sentence for people that names the field. */
  readonly message: string;
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
