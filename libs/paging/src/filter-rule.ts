/** What one element of a filter's comma separated value may be. SPEC §2 rule 3, §4.1 */
export interface FilterRule {
  /** JSON Schema (draft 2020-12) of one element, for the API's documentation. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Ends the sentence `Each element of "color" must be …`. */
  readonly expected: string;
  /** All that an element may be, where there is a list. */
  readonly values?: readonly string[];
  /** Maximum number of code points of an element. */
  readonly max?: number;
  /**
   * The value that the column is compared with, or undefined where the element is refused.
   * @param element never empty, without NUL, valid Unicode, not too long.
   */
  readonly parse: (element: string) => string | number | undefined;
}

/** Any text up to `max` code points, compared exactly. */
export function textFilter({ max }: { readonly max: number }): FilterRule {
  return {
    schema: { type: 'string', minLength: 1, maxLength: max },
    expected: 'a text',
    max,
    parse: (element) => element,
  };
}

/** One of the given words, in their exact spelling. */
export function oneOf(words: readonly string[]): FilterRule {
  return {
    schema: { type: 'string', enum: words },
    expected: `one of ${words.join(', ')}`,
    values: words,
    parse: (element) => (words.includes(element) ? element : undefined),
  };
}

const BOOLEANS = new Map([
  ['true', 1],
  ['false', 0],
]);

/** `true` or `false`; the value is 1 or 0, as booleans are stored. */
export const booleanFilter: FilterRule = {
  schema: { type: 'boolean' },
  expected: 'true or false',
  values: [...BOOLEANS.keys()],
  parse: (element) => BOOLEANS.get(element),
};
