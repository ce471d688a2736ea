import { lowerCaseUuid } from '@items/conventions';
import type { FieldRule } from './definition.js';
import { field, type FieldDecorator, type FieldDocumentation, type FieldKind } from './field.js';

export const STRING: FieldKind<string>['type'] = {
  message: 'must be a string.',
  is: (value) => typeof value === 'string',
};

/** Lengths count code points. */
export interface TextOptions extends FieldDocumentation {
  /** Default: 0. */
  readonly min?: number;
  readonly max: number;
  /** Removes white space at both ends before validation, as `String.prototype.trim` does. */
  readonly trim?: boolean;
  /** If true, the text is the id of a resource: a UUID is lower-cased. SPEC §1 */
  readonly isId?: boolean;
  /**
   * If true, a required text may consist of invisible characters and white space, as an existing
   * password may. Default: such a text is too short. SPEC §2.4
   */
  readonly mayBeInvisible?: boolean;
  /** `matches` tests the text. `expected` completes the message `"color" must …`. */
  readonly pattern?: { readonly matches: RegExp; readonly expected: string };
}

/** Pattern for a filterable field, because the comma in `color=red,blue` separates values. SPEC §4.1 */
export const WITHOUT_COMMA: NonNullable<TextOptions['pattern']> = {
  matches: /^[^,]*$/u,
  expected: 'not contain a comma, which separates values in a filter',
};

/** A text of valid Unicode without NUL. SPEC §2.4 */
export function Text(options: TextOptions): FieldDecorator {
  const { min = 0, max, trim = false, isId = false, mayBeInvisible = false, pattern } = options;
  const source = pattern?.matches.source ?? (trim && min > 0 ? '\\S' : undefined);
  return field<string>(
    {
      schema: {
        type: 'string',
        minLength: min,
        maxLength: max,
        ...(source !== undefined && { pattern: source }),
        ...(trim && { 'x-trimmed': true }),
      },
      type: STRING,
      rules: [
        ...UNICODE,
        ...lengthRules(min, max),
        ...(min > 0 && !mayBeInvisible ? [hasVisibleCharacter(min)] : []),
        ...patternRules(pattern),
      ],
      ...(trim && { normalise: (value) => (typeof value === 'string' ? value.trim() : value) }),
      ...(isId && { normalise: (value) => (typeof value === 'string' ? lowerCaseUuid(value) : value) }),
    },
    options,
  );
}

const UNICODE: readonly FieldRule<string>[] = [
  without(/\p{Cs}/u, 'invalid_unicode', 'must be valid Unicode: it holds half of a surrogate pair.'),
  without(/\0/, 'contains_nul', 'must not contain the character NUL.'),
];

function without(part: RegExp, code: string, message: string): FieldRule<string> {
  return { code, message, holds: (text) => !part.test(text) };
}

function lengthRules(min: number, max: number): FieldRule<string>[] {
  const tooShort = min === 1 ? 'must not be empty.' : `must be at least ${String(min)} characters long.`;
  return [
    {
      code: 'too_short',
      message: tooShort,
      params: { min },
      holds: (text) => text.length >= 2 * min || hasCodePoints(text, min),
    },
    {
      code: 'too_long',
      message: `must be at most ${String(max)} characters long.`,
      params: { max },
      holds: (text) => text.length <= max || !hasCodePoints(text, max + 1),
    },
  ];
}

/** Neither white space, nor a default-ignorable character such as a zero-width space. */
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u;

function hasVisibleCharacter(min: number): FieldRule<string> {
  return {
    code: 'too_short',
    message: 'must have a visible character.',
    params: { min },
    onlyIfRequired: true,
    holds: (text) => VISIBLE.test(text),
  };
}

function patternRules(pattern: TextOptions['pattern']): FieldRule<string>[] {
  if (pattern === undefined) return [];
  const { matches, expected } = pattern;
  return [{ code: 'not_allowed', message: `must ${expected}.`, holds: (text) => matches.test(text) }];
}

/** Tests a minimum length in code points, each of which has at most two code units. */
export function hasCodePoints(text: string, count: number): boolean {
  return text.length >= 2 * count || (text.length >= count && [...text].length >= count);
}
