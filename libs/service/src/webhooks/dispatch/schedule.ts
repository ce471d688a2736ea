import type { RetryPolicy } from '../../runtime/config/config.js';

/** Maximum per webhook. A failing receiver gets only one, besides requested attempts. */
export const MAX_CONCURRENT_ATTEMPTS = 10;
export const PAGE = 100;
/** Maximum number of deliveries that wait or are in progress. At this number, no event or replay begins. */
export const MAX_WAITING = 100;
/**
 * While {@link MAX_WAITING} or more deliveries wait, the oldest is attempted at this interval, even before it is due.
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
