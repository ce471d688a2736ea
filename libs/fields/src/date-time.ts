import type { FieldRule } from './definition.js';
import { field, type FieldDecorator, type FieldDocumentation } from './field.js';

export interface DateTimeOptions extends FieldDocumentation {
  /** Whether the time must be later than now. */
  readonly future?: boolean;
}

const NOT_IN_FUTURE: FieldRule<string> = {
  code: 'not_in_future',
  message: 'must be in the future.',
  holds: (text) => !(Date.parse(text) <= Date.now()),
};

/**
 * A time by RFC 3339, with any offset. What is accepted is in the service's own form, UTC with milliseconds
 * (`2026-11-20T09:30:00.000Z`), finer fractions cut off. SPEC §1
 */
export function DateTime(options: DateTimeOptions = {}): FieldDecorator {
  return field<string>(
    {
      schema: { type: 'string', format: 'date-time', maxLength: 64 },
      kind: 'time',
      type: { message: 'must be a string.', is: (value) => typeof value === 'string' },
      rules: [
        {
          code: 'wrong_format',
          message: 'must be a date and time of RFC 3339, such as 2026-11-20T09:30:00.000Z.',
          holds: (text) => toUtc(text) !== undefined,
        },
        ...(options.future === true ? [NOT_IN_FUTURE] : []),
      ],
      normalise: (value) => (typeof value === 'string' ? (toUtc(value) ?? value) : value),
    },
    { example: '2026-11-20T09:30:00.000Z', ...options },
  );
}

const RFC_3339 =
  /^(\d{4}-\d\d-\d\d)T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(\.\d{1,32})?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** Undefined for what is no time: not RFC 3339, a day that its month does not have, or outside the years 0–9999. */
function toUtc(text: string): string | undefined {
  const [, date, time, fraction = '.', offset] = RFC_3339.exec(text) ?? [];
  if (date === undefined || time === undefined || offset === undefined || !isCalendarDate(date)) return undefined;
  const milliseconds = fraction.slice(0, 4).padEnd(4, '0');
  const utc = new Date(`${date}T${time}${milliseconds}${offset.toUpperCase()}`).toISOString();
  return /^\d{4}-/.test(utc) ? utc : undefined;
}

/** 30 February is a date for some engines. */
function isCalendarDate(date: string): boolean {
  const day = new Date(`${date}T00:00:00.000Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}
