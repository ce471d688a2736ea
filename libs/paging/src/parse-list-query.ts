import {
  DEFAULT_PAGE_SIZE,
  type ErrorParams,
  InvalidCursorError,
  InvalidQueryError,
  InvalidRangeError,
  MAX_CURSOR_LENGTH,
  MAX_PAGE_SIZE,
  shownName,
  TooManyValuesError,
} from '@items/conventions';
import type { CursorRequest, ListFilter, ListRequest, ListRules, OffsetRequest, SortKey } from './list-request.js';
import { isRangeParameter, parseListRange } from './parse-range.js';
import type { FilterRule } from './filter-rule.js';

/** Parameters of every list, without its filters. SPEC §4 */
const LIST_PARAMETERS: readonly string[] = ['page', 'per_page', 'cursor', 'limit', 'sort'];

/**
 * Parses the query of a list. Reports the first error in this order: an unknown or repeated parameter in the order
 * sent, mixed styles, `page`, `per_page`, `limit`, `cursor`, `sort`, the filters in the order of the rules, their
 * number of combinations, and the range.
 * @param pairs The decoded query string, in the order sent.
 * @throws {InvalidQueryError} 400: a parameter is unknown, repeated, or has an invalid value.
 * @throws {TooManyValuesError} 400: more than 32 combinations of filter values.
 * @throws {InvalidRangeError} 400: a range in offset style, on two fields, or not on the first field of `sort`.
 * @throws {InvalidCursorError} 400: `cursor` is empty or longer than 4096 characters.
 * @see SPEC §4.1
 */
export function parseListQuery(
  pairs: readonly (readonly [name: string, value: string])[],
  rules: ListRules,
): ListRequest {
  const parameters = uniqueParameters(pairs, rules);
  const ends = new Map([...parameters].filter(([name]) => !isFilter(name, rules) && isRangeParameter(name, rules)));
  const isCursor = isCursorStyle(parameters, [...ends.keys()]);
  const page = isCursor ? parseCursorStyle(parameters, rules) : parseOffsetStyle(parameters, rules);
  const asked = parameters.get('sort');
  const sort = asked === undefined ? [] : parseSort(asked, rules.sortable);
  const list = { ...page, sort, filter: parseFilters(parameters, rules) };
  const range = parseListRange(ends, rules, sort);
  if (range === undefined || list.style === 'offset') return list;
  return { ...list, range, ...(sort.length === 0 && { sort: [{ field: range.field, descending: false }] }) };
}

function isFilter(name: string, { filters }: ListRules): boolean {
  return Object.hasOwn(filters, name);
}

function uniqueParameters(pairs: readonly (readonly [string, string])[], rules: ListRules): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (!LIST_PARAMETERS.includes(name) && !isFilter(name, rules) && !isRangeParameter(name, rules)) {
      const shown = shownName(name);
      throw new InvalidQueryError(shown, 'unknown_parameter', `"${shown}" is not a parameter of this list.`);
    }
    if (parameters.has(name)) {
      throw new InvalidQueryError(name, 'repeated_parameter', `"${name}" is given more than once.`);
    }
    parameters.set(name, value);
  }
  return parameters;
}

function isCursorStyle(parameters: ReadonlyMap<string, string>, [range]: readonly string[]): boolean {
  const isWalk = parameters.has('limit') || parameters.has('cursor');
  if (!isWalk && range === undefined) return false;
  const offset = ['page', 'per_page'].find((name) => parameters.has(name));
  if (offset === undefined) return true;
  if (!isWalk && range !== undefined) {
    const sentence = `"${range}" needs cursor style: leave out "${offset}", and use "limit" and "cursor".`;
    throw new InvalidRangeError(range, 'offset_style', sentence);
  }
  throw new InvalidQueryError(
    offset,
    'mixed_styles',
    `"${offset}" cannot be combined with "cursor" or "limit": use one style of paging.`,
  );
}

function parseOffsetStyle(
  parameters: ReadonlyMap<string, string>,
  { maxPageSize }: ListRules,
): Omit<OffsetRequest, 'sort' | 'filter'> {
  const page = parsePage(parameters.get('page'));
  return { style: 'offset', page, perPage: parsePageSize('per_page', parameters.get('per_page'), maxPageSize) };
}

function parseCursorStyle(
  parameters: ReadonlyMap<string, string>,
  { maxPageSize }: ListRules,
): Omit<CursorRequest, 'sort' | 'filter'> {
  const limit = parsePageSize('limit', parameters.get('limit'), maxPageSize);
  const cursor = parameters.get('cursor');
  if (cursor === undefined) return { style: 'cursor', limit };
  if (cursor === '' || cursor.length > MAX_CURSOR_LENGTH) throw new InvalidCursorError();
  return { style: 'cursor', limit, cursor };
}

function parseFilters(parameters: ReadonlyMap<string, string>, rules: ListRules): ListFilter {
  const filter: Record<string, readonly (string | number)[]> = {};
  for (const [name, rule] of Object.entries(rules.filters)) {
    const text = parameters.get(name);
    if (text !== undefined) filter[name] = parseFilter(name, text, rule);
  }
  requireFewCombinations(Object.values(filter));
  return filter;
}

/** @returns 1 – 2^53 − 1; 1 if the parameter is absent. */
function parsePage(text: string | undefined): number {
  const page = text === undefined ? 1 : parsePositive('page', text);
  if (page <= Number.MAX_SAFE_INTEGER) return page;
  const max = Number.MAX_SAFE_INTEGER;
  throw new InvalidQueryError('page', 'out_of_range', `"page" must be at most ${String(max)}.`, { max });
}

/**
 * @param max at least 1.
 * @returns 1 to `max`. A larger size is lowered to `max`. Default: 20, or `max` if that is less.
 */
function parsePageSize(parameter: 'per_page' | 'limit', text: string | undefined, max: number = MAX_PAGE_SIZE): number {
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

/** Parses `-price,name`. SPEC §4.1 */
function parseSort(text: string, sortable: readonly string[]): SortKey[] {
  const keys: SortKey[] = [];
  for (const element of text.split(',')) {
    const descending = element.startsWith('-');
    const field = descending ? element.slice(1) : element;
    if (!sortable.includes(field)) throw unknownSort(field, sortable);
    if (keys.some((key) => key.field === field)) {
      throw new InvalidQueryError('sort', 'repeated_sort', `"sort" names "${field}" more than once.`);
    }
    keys.push({ field, descending });
  }
  return keys;
}

function unknownSort(field: string, sortable: readonly string[]): InvalidQueryError {
  const fault = field === '' ? 'names no field' : `cannot be "${shownName(field)}"`;
  return new InvalidQueryError('sort', 'unknown_sort', `"sort" ${fault}; known fields: ${sortable.join(', ')}.`);
}

/** Parses a filter: `red,blue` matches either. The values are distinct and sorted, so that equal filters have one form. */
function parseFilter(parameter: string, text: string, rule: FilterRule): (string | number)[] {
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

/** Limited, because each combination of filter values reads a separate range of an index. SPEC §4.1 */
export const MAX_FILTER_COMBINATIONS = 32;

/**
 * @param filters Distinct values of each filter.
 * @throws {TooManyValuesError} 400: more than {@link MAX_FILTER_COMBINATIONS}.
 * @see SPEC §4.1
 */
export function requireFewCombinations(filters: readonly (readonly unknown[])[]): void {
  const combinations = filters.reduce((product, values) => product * values.length, 1);
  if (combinations > MAX_FILTER_COMBINATIONS) throw new TooManyValuesError(MAX_FILTER_COMBINATIONS);
}
