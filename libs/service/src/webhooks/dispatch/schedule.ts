import type { RetryPolicy } from '../../runtime/config/retry-policy.js';

/** Attempts of one webhook that are under way at once; one where it fails. */
export const MAX_AT_ONCE = 10;
/** Events that are read at once. */
export const PAGE = 100;
/** While so many deliveries wait for a retry, no further event is begun. */
export const MAX_WAITING = 100;
/** How often the oldest of them is tried meanwhile. */
export const PROBE_MS = 60_000;
/** How long after a failure of the database the next attempt to write or read is made. */
export const PAUSE_MS = 1000;
/** By which part a delay is longer or shorter at most. */
const JITTER = 0.1;

/**
 * How long after its failure a delivery is tried again.
 * @param failures in turn so far, this one included.
 * @param random from 0 to below 1.
 * @returns milliseconds; undefined where it has failed for good.
 */
export function retryDelayMs({ retriesMs }: RetryPolicy, failures: number, random: number): number | undefined {
  const delay = retriesMs[failures - 1];
  return delay === undefined ? undefined : Math.round(delay * (1 - JITTER + 2 * JITTER * random));
}
