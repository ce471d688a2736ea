/** Schedule of the retries of a delivery, and the time after which a failing webhook is disabled. SPEC §6.2 */
export interface RetryPolicy {
  /** Milliseconds from each failure to the next attempt, in order. */
  readonly retriesMs: readonly number[];
  /** Milliseconds without a success after which the webhook is disabled. */
  readonly disableAfterMs: number;
}
