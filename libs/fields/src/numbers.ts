import { MAX_AMOUNT } from '@items/conventions';
import type { FieldRule } from './definition.js';
import { field, type FieldDecorator, type FieldDocumentation } from './field.js';

/** Inclusive bounds. */
export interface RangeOptions extends FieldDocumentation {
  readonly min: number;
  readonly max: number;
}

/** A whole number, also if written as `1.0` or `1e2`, because JSON has only one kind of number. */
export function Integer(options: RangeOptions): FieldDecorator {
  const { min, max } = options;
  return field<number>(
    {
      schema: { type: 'integer', format: 'int64', minimum: min, maximum: max },
      type: { message: 'must be a whole number.', is: Number.isInteger as (value: unknown) => value is number },
      rules: [between(min, max)],
      normalise: withoutNegativeZero,
    },
    options,
  );
}

/** A number within inclusive bounds, stored as an IEEE 754 double. */
export function Float(options: RangeOptions): FieldDecorator {
  const { min, max } = options;
  return field<number>(
    {
      schema: { type: 'number', format: 'double', minimum: min, maximum: max },
      type: { message: 'must be a number.', is: Number.isFinite as (value: unknown) => value is number },
      rules: [between(min, max)],
      normalise: withoutNegativeZero,
    },
    options,
  );
}

/** An amount of money: a number with at most two decimals, never text. SPEC §2.1 */
export function Money(notes: FieldDocumentation = {}): FieldDecorator {
  return field<number>(
    {
      schema: { type: 'number', format: 'double', minimum: 0, maximum: MAX_AMOUNT },
      kind: 'money',
      type: { message: 'must be a number.', is: Number.isFinite as (value: unknown) => value is number },
      rules: [
        between(0, MAX_AMOUNT),
        { code: 'too_many_decimals', message: 'must have at most 2 decimals.', params: { max: 2 }, holds: hasCents },
      ],
      normalise: withoutNegativeZero,
    },
    notes,
  );
}

function between(min: number, max: number): FieldRule<number> {
  return {
    code: 'out_of_range',
    message: `must be from ${String(min)} to ${String(max)}.`,
    params: { min, max },
    holds: (value) => value >= min && value <= max,
  };
}

/** Counts the decimals of the shortest form: 1.005 has three, and `1e-7` has seven. */
function hasCents(value: number): boolean {
  return /^-?\d+(\.\d{1,2})?$/.test(String(value));
}

/** JSON allows `-0`; store 0 instead. */
function withoutNegativeZero(value: unknown): unknown {
  return value === 0 ? 0 : value;
}
