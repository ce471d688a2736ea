const LONGEST_SECONDS = 3600;

/**
 * Parses `Retry-After`: seconds, or the time until a date. RFC 9110 §10.2.3
 * @param now milliseconds since the epoch.
 * @returns at most one hour; null if it is neither.
 */
export function retryAfterSeconds(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((dateIn(value) - now) / 1000);
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), LONGEST_SECONDS);
}

/** `Date.parse` accepts more than HTTP dates. */
function dateIn(value: string): number {
  return value.endsWith(' GMT') ? Date.parse(value) : Number.NaN;
}
