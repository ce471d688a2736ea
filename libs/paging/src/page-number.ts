import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '@items/conventions';
import { InvalidQueryError } from '@items/errors';

/**
 * The number of a page.
 * @returns 1 – 2^53 − 1; 1 where the parameter is absent.
 * @throws {InvalidQueryError} 400: not digits only, zero, or beyond 2^53 − 1.
 */
export function parsePage(text: string | undefined): number {
  const page = text === undefined ? 1 : parsePositive('page', text);
  if (page <= Number.MAX_SAFE_INTEGER) return page;
  throw new InvalidQueryError('page', 'out_of_range', `"page" must be at most ${String(Number.MAX_SAFE_INTEGER)}.`);
}

/**
 * The number of rows a page; more than 100 is served as 100.
 * @returns 1–100; 20 where the parameter is absent.
 * @throws {InvalidQueryError} 400: not digits only, or zero.
 */
export function parsePageSize(parameter: 'per_page' | 'limit', text: string | undefined): number {
  return text === undefined ? DEFAULT_PAGE_SIZE : Math.min(parsePositive(parameter, text), MAX_PAGE_SIZE);
}

/** Decimal digits only, leading zeros allowed; more digits than a double holds become a larger number or Infinity. */
function parsePositive(parameter: string, text: string): number {
  if (!/^[0-9]+$/.test(text)) {
    throw new InvalidQueryError(parameter, 'wrong_type', `"${parameter}" must be a whole number, in digits.`);
  }
  const number = Number(text);
  if (number >= 1) return number;
  throw new InvalidQueryError(parameter, 'out_of_range', `"${parameter}" must be at least 1.`);
}
