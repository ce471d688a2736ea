import { hasCodePoints } from './code-points.js';
import { field, type FieldDecorator, type FieldDocumentation } from './field.js';

/** Number of texts, and the rules for each. */
export interface TextsOptions extends FieldDocumentation {
  /** Maximum number of texts; the minimum is 0. */
  readonly maxItems: number;
  /** Maximum length of a text, in code points. */
  readonly max: number;
  /** A pattern for each text, and the end of the sentence `"redirect_uris" must hold only …`. */
  readonly each: {
    readonly matches: RegExp;
    readonly expected: string;
    /** Returns a more exact sentence for a text that does not match, such as `must …`. */
    readonly explain?: (text: string) => string | undefined;
  };
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
        {
          code: 'too_many',
          message: `must have at most ${String(maxItems)}.`,
          params: { max: maxItems },
          holds: (texts) => texts.length <= maxItems,
        },
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
        {
          code: 'repeated',
          message: 'must not contain the same value twice.',
          holds: (texts) => new Set(texts).size === texts.length,
        },
      ],
    },
    options,
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
