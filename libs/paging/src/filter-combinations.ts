import { TooManyValuesError } from '@items/conventions';

/** Each combination of filter values is a range of an index. SPEC §4.1 */
export const MAX_FILTER_COMBINATIONS = 32;

/**
 * @param filters Distinct values of each filter. The product of their numbers is limited.
 * @throws {TooManyValuesError} 400: more than {@link MAX_FILTER_COMBINATIONS}.
 * @see SPEC §4.1
 */
export function requireFewCombinations(filters: readonly (readonly unknown[])[]): void {
  const combinations = filters.reduce((product, values) => product * values.length, 1);
  if (combinations > MAX_FILTER_COMBINATIONS) throw new TooManyValuesError(MAX_FILTER_COMBINATIONS);
}
