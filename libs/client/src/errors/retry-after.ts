const SECONDS = /^\d+(\.\d+)?$/;
const DATE = /^[a-z]{3}/i;

/**
 * Parses `Retry-After`: seconds, or a date of RFC 9110 §5.6.7, which is compared with the local clock.
 * @returns Whole seconds from now, at least 0; undefined if the header is absent or invalid.
 */
export function retryAfterSeconds(value: string | null): number | undefined {
  const text = value?.trim() ?? '';
  const isNumber = SECONDS.test(text);
  if (!isNumber && !DATE.test(text)) return undefined;
  const seconds = isNumber ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
