const LONGEST_SECONDS = 3600;

/**
 * Parses `Retry-After`: seconds, or the time until a date.
 * @param now milliseconds since 1970.
 * @returns 0 to 3600 seconds; null if it is neither. RFC 9110 §10.2.3
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
