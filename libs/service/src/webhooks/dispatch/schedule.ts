import type { RetryPolicy } from '../../runtime/config/config.js';

/** Attempts of one webhook; only 1 while its receiver fails. */
export const MAX_CONCURRENT_ATTEMPTS = 10;
export const PAGE = 100;
/** While this number of deliveries wait for a retry, no new event is attempted. */
export const MAX_WAITING = 100;
/**
 * While {@link MAX_WAITING} or more deliveries wait, the oldest is attempted once in this time, even before it is due.
 */
export const PROBE_MS = 60_000;
/** Pause after a failure of the database. */
export const PAUSE_MS = 1000;
/** Maximum relative deviation of a delay. */
const JITTER = 0.1;

/**
 * @param failures consecutive failures, including this one.
 * @param random from 0 to below 1.
 * @returns undefined if there is no further retry.
 */
export function retryDelayMs({ retriesMs }: RetryPolicy, failures: number, random: number): number | undefined {
  const delay = retriesMs[failures - 1];
  return delay === undefined ? undefined : Math.round(delay * (1 - JITTER + 2 * JITTER * random));
}
