import {
  InvalidCursorError,
  InvalidQueryError,
  InvalidRangeError,
  MAX_CURSOR_LENGTH,
  shownName,
} from '@items/conventions';

import { requireFewCombinations } from './filter-combinations.js';
import type { CursorRequest, ListFilter, ListRequest, ListRules, OffsetRequest } from './list-request.js';
import { parsePage, parsePageSize } from './page-number.js';
import { parseFilter } from './parse-filter.js';
import { isRangeParameter, parseListRange } from './parse-range.js';
import { parseSort } from './parse-sort.js';

/** Parameters of every list, besides its filters. SPEC §4 */
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

/** @param ranges Range parameters of the request. */
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
    `"${offset}" cannot stand beside "cursor" or "limit": use one style of paging.`,
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
