/** Rule for one element of a filter's comma-separated value. SPEC §2 rule 3, §4.1 */
export interface FilterRule {
  /** JSON Schema (draft 2020-12) of one element, for the API's documentation. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Completes the message `Each element of "color" must be …`. */
  readonly expected: string;
  /** Allowed elements, if the rule lists them. */
  readonly values?: readonly string[];
  /** Maximum length of an element, in code points. */
  readonly max?: number;
  /**
   * Converts an element to the value of the column, or returns undefined to refuse it.
   * @param element Valid Unicode, not empty, without NUL, and not too long.
   */
  readonly parse: (element: string) => string | number | undefined;
}

/** `max` counts code points. Comparison is exact. */
export function textFilter({ max }: { readonly max: number }): FilterRule {
  return {
    schema: { type: 'string', minLength: 1, maxLength: max },
    expected: 'a text',
    max,
    parse: (element) => element,
  };
}

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

/** The column stores 1 or 0. */
export const booleanFilter: FilterRule = {
  schema: { type: 'boolean' },
  expected: 'true or false',
  values: [...BOOLEANS.keys()],
  parse: (element) => BOOLEANS.get(element),
};
