import { type ErrorParams, InvalidQueryError } from '@items/conventions';

import type { FilterRule } from './filter-rule.js';

/**
 * Parses a filter: `red,blue` matches either.
 * @returns At least one value; distinct and sorted, so that equal filters have one form.
 * @throws {InvalidQueryError} 400: an element is empty, contains NUL or a lone surrogate, or violates the rule.
 * @see SPEC §4.1
 */
export function parseFilter(parameter: string, text: string, rule: FilterRule): (string | number)[] {
  const values = text.split(',').map((element) => parseElement(parameter, element, rule));
  return [...new Set(values)].sort((a, b) => (a < b ? -1 : 1));
}

function parseElement(parameter: string, element: string, rule: FilterRule): string | number {
  const refuse = (code: string, fault: string, params?: ErrorParams): InvalidQueryError =>
    new InvalidQueryError(parameter, code, `Each element of "${parameter}" must be ${fault}.`, params);
  if (element === '') throw refuse('empty', 'given: none may be empty');
  if (element.includes('\0')) throw refuse('contains_nul', 'without the character NUL');
  if (/\p{Cs}/u.test(element)) throw refuse('invalid_unicode', 'valid Unicode');
  const { max } = rule;
  if (max !== undefined && [...element].length > max) {
    throw refuse('too_long', `at most ${String(max)} characters long`, { max });
  }
  const value = rule.parse(element);
  if (value === undefined) throw refuse('not_allowed', rule.expected, rule.values && { values: rule.values });
  return value;
}
