import { millisecondAt } from '@items/paging';
import type { FieldRule } from './definition.js';
import { field, type FieldDecorator, type FieldDocumentation } from './field.js';
import { STRING } from './text.js';

export interface DateTimeOptions extends FieldDocumentation {
  /** If true, the time must be later than now. */
  readonly future?: boolean;
}

const MAX_LENGTH = 64;

const NOT_IN_FUTURE: FieldRule<string> = {
  code: 'not_in_future',
  message: 'must be in the future.',
  holds: (text) => !(Date.parse(text) <= Date.now()),
};

/**
 * A time by RFC 3339, with any offset. The accepted value is UTC with milliseconds
 * (`2026-11-20T09:30:00.000Z`): finer fractions are cut off, and a leap second becomes the next
 * second. SPEC §1
 */
export function DateTime(options: DateTimeOptions = {}): FieldDecorator {
  return field<string>(
    {
      schema: { type: 'string', format: 'date-time', maxLength: MAX_LENGTH },
      kind: 'time',
      type: STRING,
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

/**
 * Returns undefined for another form, a day that its month does not have, or a year outside 0–9999.
 */
function toUtc(text: string): string | undefined {
  const ms = text.length > MAX_LENGTH ? undefined : millisecondAt(text, 'floor');
  const utc = ms === undefined ? '' : new Date(ms).toISOString();
  return /^\d{4}-/.test(utc) ? utc : undefined;
}
