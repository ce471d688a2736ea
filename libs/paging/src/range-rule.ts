import { InvalidQueryError } from '@items/conventions';
import { nextDouble, parseDecimal, wholeNumber } from './decimal.js';
import { millisecondAt } from './exact-time.js';

/** Maximum length of a `_prefix`, in code points. SPEC §4.1 */
export const MAX_PREFIX_LENGTH = 200;

/** Maximum length of a `_min` or `_max`. SPEC §4.1 */
export const MAX_BOUND_LENGTH = 40;

/** `min` and `max` are inclusive. Null is in no range. */
export interface RangeBounds {
  readonly min?: string | number;
  readonly max?: string | number;
  /** Exclusive upper bound of a `_prefix`. */
  readonly below?: string;
}

export type RangeEnd = 'min' | 'max' | 'prefix';

export interface RangeRule {
  readonly ends: readonly RangeEnd[];
  /** JSON Schema (draft 2020-12) of a value, for the API's documentation. */
  readonly schema: Readonly<Record<string, unknown>>;
  /**
   * Converts a value to bounds of the column.
   * @throws {InvalidQueryError} 400: a value of the wrong type.
   */
  readonly read: (end: RangeEnd, parameter: string, text: string) => RangeBounds;
}

/** Range of whole numbers. @param decimals Of the field's values: an amount in cents has 2. */
export function wholeNumberRange({ decimals = 0 }: { readonly decimals?: number } = {}): RangeRule {
  return numbers((text, round) => {
    const decimal = parseDecimal(text);
    return decimal && wholeNumber(decimal, decimals, round);
  });
}

/** Range of doubles. They count as their shortest decimal form. */
export const doubleRange: RangeRule = numbers((text, round) => {
  const decimal = parseDecimal(text);
  return decimal && nextDouble(decimal, Number(text), round);
});

/** Range of milliseconds since the epoch. */
export const timeRange: RangeRule = between(
  { type: 'string', format: 'date-time', maxLength: MAX_BOUND_LENGTH },
  { code: 'wrong_format', sentence: 'must be a date and time of RFC 3339 ("+" is "%2B" in a query)' },
  millisecondAt,
);

/** Range of the texts with a prefix, ordered by code point. */
export const prefixRange: RangeRule = {
  ends: ['prefix'],
  schema: { type: 'string', minLength: 1, maxLength: MAX_PREFIX_LENGTH },
  read: (_, parameter, text) => {
    const refuse = (code: string, fault: string): InvalidQueryError =>
      new InvalidQueryError(parameter, code, `"${parameter}" must be ${fault}.`);
    if (text === '') throw refuse('empty', 'given: it is at least one character long');
    if (text.includes('\0')) throw refuse('contains_nul', 'without the character NUL');
    if (/\p{Cs}/u.test(text)) throw refuse('invalid_unicode', 'valid Unicode');
    if ([...text].length > MAX_PREFIX_LENGTH) throw tooLong(parameter, MAX_PREFIX_LENGTH);
    const below = firstAfterPrefix(text);
    return { min: text, ...(below !== undefined && { below }) };
  },
};

function tooLong(parameter: string, max: number): InvalidQueryError {
  const sentence = `"${parameter}" must be at most ${String(max)} characters long.`;
  return new InvalidQueryError(parameter, 'too_long', sentence, { max });
}

function numbers(read: (text: string, round: 'ceil' | 'floor') => number | undefined): RangeRule {
  return between(
    { type: 'number' },
    { code: 'wrong_type', sentence: 'must be a number as JSON writes it ("+" is "%2B" in a query)' },
    read,
  );
}

function between(
  schema: RangeRule['schema'],
  refusal: { readonly code: string; readonly sentence: string },
  read: (text: string, round: 'ceil' | 'floor') => number | undefined,
): RangeRule {
  return {
    ends: ['min', 'max'],
    schema,
    read: (end, parameter, text) => {
      if (text.length > MAX_BOUND_LENGTH) throw tooLong(parameter, MAX_BOUND_LENGTH);
      const value = read(text, end === 'min' ? 'ceil' : 'floor');
      if (value !== undefined) return end === 'min' ? { min: value } : { max: value };
      throw new InvalidQueryError(parameter, refusal.code, `"${parameter}" ${refusal.sentence}.`);
    },
  };
}

const LAST = 0x10ffff;
const BEFORE_SURROGATES = 0xd7ff;
const AFTER_SURROGATES = 0xe000;

/**
 * Returns the first text, by code points, after all texts with a prefix.
 * @param prefix Valid Unicode.
 * @returns Undefined if every character of the prefix is U+10FFFF, the last code point.
 */
function firstAfterPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  const changed = points.findLastIndex((point) => point !== LAST);
  const point = points[changed];
  if (point === undefined) return undefined;
  const next = point === BEFORE_SURROGATES ? AFTER_SURROGATES : point + 1;
  return String.fromCodePoint(...points.slice(0, changed), next);
}
