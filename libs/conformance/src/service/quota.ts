import { type Exchange, header } from './exchange.js';

const secondsPerDay = 86_400;

/**
 * Parses a header with whole seconds or a date. Also accepts a time in seconds or milliseconds, because the seed
 * specification (§8) leaves the unit of `X-RateLimit-Reset` open. Undefined for other values.
 */
export function secondsUntil(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined || value.trim() === '') return undefined;
  const number = Number(value);
  if (Number.isFinite(number)) {
    if (number < 0) return undefined;
    if (number > 1e11) return Math.max(0, (number - nowMs) / 1000);
    return number > 30 * secondsPerDay ? Math.max(0, number - nowMs / 1000) : number;
  }
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - nowMs) / 1000);
}

/**
 * Returns the seconds to wait before a repetition; undefined if none is needed. Without a header: 1, 2, 4 … 64 s.
 * @param attempt 0 for the first response.
 */
export function waitBeforeRepeat(exchange: Exchange, attempt: number, nowMs: number): number | undefined {
  const told = secondsUntil(header(exchange, 'retry-after'), nowMs);
  const overloaded = exchange.status === 503 && told !== undefined && attempt < 3;
  if (exchange.status !== 429 && !overloaded && !looksExhausted(exchange, attempt)) return undefined;
  const reset = told ?? secondsUntil(header(exchange, 'x-ratelimit-reset'), nowMs);
  return Math.max(reset ?? 0, attempt === 0 && reset !== undefined ? 0.1 : 2 ** Math.min(attempt, 6));
}

/**
 * Whether the quota may have caused an error: the first response says that 0 requests remain. A repetition with a full
 * quota shows the real cause.
 */
function looksExhausted(exchange: Exchange, attempt: number): boolean {
  return attempt === 0 && exchange.status >= 400 && header(exchange, 'x-ratelimit-remaining')?.trim() === '0';
}
