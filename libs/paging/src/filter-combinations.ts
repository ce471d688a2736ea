import { TooManyValuesError } from '@items/conventions';

/** Combinations of filter values that a list reads at most: each is a range of an index of its own. SPEC §4.1 */
export const MAX_FILTER_COMBINATIONS = 32;

/**
 * Judges how many combinations of values the filters of a list have: the product of their numbers of values.
 * @param filters the distinct values of each filter.
 * @throws {TooManyValuesError} 400: more than {@link MAX_FILTER_COMBINATIONS}.
 * @see SPEC §4.1
 */
export function requireFewCombinations(filters: readonly (readonly unknown[])[]): void {
  const combinations = filters.reduce((product, values) => product * values.length, 1);
  if (combinations > MAX_FILTER_COMBINATIONS) throw new TooManyValuesError(MAX_FILTER_COMBINATIONS);
}
