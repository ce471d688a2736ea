const SECONDS = /^\d+(\.\d+)?$/;
const DATE = /^[a-z]{3}/i;

/**
 * Reads `Retry-After`: seconds, or a date of RFC 9110 §5.6.7, which counts from this machine's clock.
 * @returns whole seconds from now, at least 0; undefined where there is none, or none that can be read.
 */
export function retryAfterSeconds(value: string | null): number | undefined {
  const text = value?.trim() ?? '';
  if (SECONDS.test(text)) return Math.ceil(Number(text));
  if (!DATE.test(text)) return undefined;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - Date.now()) / 1000));
}
