import { TooManyValuesError } from '@items/conventions';

/** Maximum number of combinations of filter values; each is a range of an index. SPEC §4.1 */
export const MAX_FILTER_COMBINATIONS = 32;

/**
 * Checks the number of combinations: the product of the numbers of values.
 * @param filters the distinct values of each filter.
 * @throws {TooManyValuesError} 400: more than {@link MAX_FILTER_COMBINATIONS}.
 * @see SPEC §4.1
 */
export function requireFewCombinations(filters: readonly (readonly unknown[])[]): void {
  const combinations = filters.reduce((product, values) => product * values.length, 1);
  if (combinations > MAX_FILTER_COMBINATIONS) throw new TooManyValuesError(MAX_FILTER_COMBINATIONS);
}
