import type { DtoClass, FieldRule } from './definition.js';
import { field, type FieldDecorator, type FieldDocumentation } from './field.js';
import { hasCodePoints } from './text.js';

/** Inclusive limits of the number of objects. */
export interface NestedListOptions extends FieldDocumentation {
  readonly min: number;
  readonly max: number;
}

export interface TextsOptions extends FieldDocumentation {
  /** Maximum number of texts; the minimum is 0. */
  readonly maxItems: number;
  /** Maximum length of a text, in code points. */
  readonly max: number;
  /** `matches` tests each text. `expected` completes the message `"redirect_uris" must hold only …`. */
  readonly each: {
    readonly matches: RegExp;
    readonly expected: string;
    /** Returns a more exact message for a text that does not match, without its subject: `must …`. */
    readonly explain?: (text: string) => string | undefined;
  };
}

/** An array of objects with their own rules; problems name the path, `lines.0.quantity`. */
export function NestedList(dto: () => DtoClass, options: NestedListOptions): FieldDecorator {
  const { min, max } = options;
  return field<readonly unknown[]>(
    {
      schema: { type: 'array', minItems: min, maxItems: max },
      type: { message: 'must be an array.', is: isArray },
      rules: [
        {
          code: 'too_few',
          message: `must have at least ${String(min)}.`,
          params: { min },
          holds: (list) => list.length >= min,
        },
        atMost(max),
      ],
      nested: dto,
    },
    options,
  );
}

/** An array of distinct words in the order sent; may be empty. A service may override `words`. */
export function Choices(words: readonly string[], notes: FieldDocumentation = {}): FieldDecorator {
  return field<readonly unknown[]>(
    {
      schema: { type: 'array', items: { type: 'string', enum: words }, uniqueItems: true, maxItems: words.length },
      type: { message: 'must be an array of strings.', is: isArray },
      rules: choiceRules(words),
      rulesIn: (own) => choiceRules(own.get(words) ?? words),
    },
    notes,
  );
}

function choiceRules(words: readonly string[]): readonly FieldRule<readonly unknown[]>[] {
  return [
    {
      code: 'not_allowed',
      message: `must contain only ${words.map((word) => `"${word}"`).join(', ')}.`,
      params: { values: words },
      holds: (values) => values.every((value) => (words as readonly unknown[]).includes(value)),
    },
    UNREPEATED,
  ];
}

/** An array of distinct texts, in the order sent. */
export function Texts(options: TextsOptions): FieldDecorator {
  const { maxItems, max, each } = options;
  return field<readonly string[]>(
    {
      schema: {
        type: 'array',
        items: { type: 'string', maxLength: max, pattern: each.matches.source },
        uniqueItems: true,
        maxItems,
      },
      type: { message: 'must be an array of strings.', is: isTexts },
      rules: [
        atMost(maxItems),
        {
          code: 'too_long',
          message: `must have elements of at most ${String(max)} characters.`,
          params: { max },
          holds: (texts) => !texts.some((text) => hasCodePoints(text, max + 1)),
        },
        {
          code: 'not_allowed',
          message: `must hold only ${each.expected}.`,
          holds: (texts) => texts.every((text) => each.matches.test(text)),
          explain: (texts) => {
            const refused = texts.find((text) => !each.matches.test(text));
            return refused === undefined ? undefined : each.explain?.(refused);
          },
        },
        UNREPEATED,
      ],
    },
    options,
  );
}

const UNREPEATED: FieldRule<readonly unknown[]> = {
  code: 'repeated',
  message: 'must not contain the same value twice.',
  holds: (values) => new Set(values).size === values.length,
};

function atMost(max: number): FieldRule<readonly unknown[]> {
  return {
    code: 'too_many',
    message: `must have at most ${String(max)}.`,
    params: { max },
    holds: (list) => list.length <= max,
  };
}

function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
