/** RFC 3339 §5.6; a leap second is none here, as it is none in what the service stores. */
const RFC_3339 =
  /^(\d{4}-\d\d-\d\d)T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d+))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
const MILLISECOND_DIGITS = 3;

/**
 * The millisecond next to a time of RFC 3339, with any offset and any fraction: not before it for `ceil`, not after it for
 * `floor`.
 * @returns milliseconds since the epoch; undefined for what is no time: another form, or a day that its month does not have.
 */
export function millisecondAt(text: string, round: 'ceil' | 'floor'): number | undefined {
  const [, date, time, fraction = '', offset] = RFC_3339.exec(text) ?? [];
  if (date === undefined || time === undefined || offset === undefined || !isCalendarDate(date)) return undefined;
  const milliseconds = fraction.slice(0, MILLISECOND_DIGITS).padEnd(MILLISECOND_DIGITS, '0');
  const floor = Date.parse(`${date}T${time}.${milliseconds}${offset.toUpperCase()}`);
  const isLater = /[1-9]/.test(fraction.slice(MILLISECOND_DIGITS));
  return round === 'ceil' && isLater ? floor + 1 : floor;
}

/** 30 February is a date for some engines. */
function isCalendarDate(date: string): boolean {
  const day = new Date(`${date}T00:00:00.000Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}
