/** RFC 3339 §5.6 */
const RFC_3339 =
  /^(\d{4}-\d\d-\d\d)T((?:[01]\d|2[0-3]):[0-5]\d):([0-5]\d|60)(?:\.(\d+))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
const MILLISECOND_DIGITS = 3;
const LEAP_SECOND = '60';
const SECOND_MS = 1000;
const DAY_MS = 86_400_000;

/**
 * Rounds a time of RFC 3339, with any offset and fraction, up (`ceil`) or down (`floor`) to a millisecond. A leap
 * second (23:59:60 UTC) becomes the next second.
 * @returns Milliseconds since the epoch; undefined for another form, a day that its month does not have, or a second 60
 * at another time of day.
 */
export function millisecondAt(text: string, round: 'ceil' | 'floor'): number | undefined {
  const [, date, minute, second, fraction = '', offset] = RFC_3339.exec(text) ?? [];
  if (date === undefined || minute === undefined || second === undefined || offset === undefined) return undefined;
  if (!isCalendarDate(date)) return undefined;
  const isLeapSecond = second === LEAP_SECOND;
  const start = Date.parse(`${date}T${minute}:${isLeapSecond ? '59' : second}${offset.toUpperCase()}`);
  if (isLeapSecond && !isLastSecondOfDay(start)) return undefined;
  const milliseconds = Number(fraction.slice(0, MILLISECOND_DIGITS).padEnd(MILLISECOND_DIGITS, '0'));
  const floor = start + (isLeapSecond ? SECOND_MS : 0) + milliseconds;
  const isLater = /[1-9]/.test(fraction.slice(MILLISECOND_DIGITS));
  return round === 'ceil' && isLater ? floor + 1 : floor;
}

function isLastSecondOfDay(ms: number): boolean {
  return (ms + SECOND_MS) % DAY_MS === 0;
}

/** `Date.parse` accepts 30 February in some engines. */
function isCalendarDate(date: string): boolean {
  const day = new Date(`${date}T00:00:00.000Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}
