import { DEFAULT_PAGE_SIZE, InvalidQueryError, MAX_PAGE_SIZE } from '@items/conventions';

/**
 * @returns 1 – 2^53 − 1; 1 if the parameter is absent.
 * @throws {InvalidQueryError} 400: not digits only, zero, or more than 2^53 − 1.
 */
export function parsePage(text: string | undefined): number {
  const page = text === undefined ? 1 : parsePositive('page', text);
  if (page <= Number.MAX_SAFE_INTEGER) return page;
  const max = Number.MAX_SAFE_INTEGER;
  throw new InvalidQueryError('page', 'out_of_range', `"page" must be at most ${String(max)}.`, { max });
}

/**
 * Lowers a larger page size to `max`.
 * @param max At least 1.
 * @returns 1 to `max`; the lesser of 20 and `max` if the parameter is absent.
 * @throws {InvalidQueryError} 400: not digits only, or zero.
 */
export function parsePageSize(
  parameter: 'per_page' | 'limit',
  text: string | undefined,
  max: number = MAX_PAGE_SIZE,
): number {
  return Math.min(text === undefined ? DEFAULT_PAGE_SIZE : parsePositive(parameter, text), max);
}

/** Accepts leading zeros. Very long numbers become Infinity. */
function parsePositive(parameter: string, text: string): number {
  if (!/^[0-9]+$/.test(text)) {
    throw new InvalidQueryError(parameter, 'wrong_type', `"${parameter}" must be a whole number, in digits.`);
  }
  const number = Number(text);
  if (number >= 1) return number;
  throw new InvalidQueryError(parameter, 'out_of_range', `"${parameter}" must be at least 1.`, { min: 1 });
}
