/** What JSON.stringify would write otherwise than as it stands: quotes, backslashes, controls, halves of a pair. */
const NEEDS_ESCAPE = /[^\x20\x21\x23-\x5b\x5d-\ud7ff\ue000-\uffff]/;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Days known at once: some years. */
const CAPACITY = 2000;

/** Days since the epoch → `2026-11-21T`. */
const dates = new Map<number, string>();
/** Minutes of a day → `09:30:`. */
const minutes = Array.from({ length: DAY_MS / MINUTE_MS }, (_, minute) =>
  new Date(minute * MINUTE_MS).toISOString().slice('1970-01-01T'.length, -'00.000Z'.length),
);

/** JSON of any value; undefined is null, as it is in an array. */
export function writeValue(value: unknown): string {
  if (typeof value === 'string') return NEEDS_ESCAPE.test(value) ? JSON.stringify(value) : `"${value}"`;
  return value === undefined ? 'null' : JSON.stringify(value);
}

/**
 * RFC 3339 in UTC, with milliseconds: what `new Date(ms).toISOString()` gives, for a fifth of its cost. A page of rows
 * has many.
 * @param ms whole milliseconds since the epoch.
 * @throws {RangeError} it is no number.
 */
export function formatTime(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  let date = dates.get(day);
  if (date === undefined) {
    date = new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length);
    if (dates.size >= CAPACITY) dates.clear();
    dates.set(day, date);
  }
  const rest = ms - day * DAY_MS;
  const minute = Math.floor(rest / MINUTE_MS);
  // Five digits behind a first one, which keeps the zeros.
  const millis = String(100_000 + rest - minute * MINUTE_MS);
  return `${date}${minutes[minute] ?? ''}${millis.slice(1, 3)}.${millis.slice(3)}Z`;
}
