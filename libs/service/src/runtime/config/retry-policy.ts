export interface RetryPolicy {
  /** Milliseconds from each failure to the next attempt. SPEC §6.2 */
  readonly retriesMs: readonly number[];
  /** Milliseconds without a success after which the webhook is disabled. */
  readonly disableAfterMs: number;
}
