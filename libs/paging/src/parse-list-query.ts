import { MAX_CURSOR_LENGTH } from '@items/conventions';
import { InvalidCursorError, InvalidQueryError, shownName } from '@items/errors';

import type { CursorRequest, ListFilter, ListRequest, ListRules, OffsetRequest } from './list-request.js';
import { parsePage, parsePageSize } from './page-number.js';
import { parseFilter } from './parse-filter.js';
import { parseSort } from './parse-sort.js';

/** Parameters that every list takes beside its filters. SPEC §4 */
const LIST_PARAMETERS: readonly string[] = ['page', 'per_page', 'cursor', 'limit', 'sort'];

/**
 * What a list was asked for. Where several things are wrong, one is reported, always the same: the first unknown or
 * repeated parameter as sent, then mixed styles, `page`, `per_page`, `limit`, `cursor`, `sort`, and the filters in the
 * order of the rules.
 * @param pairs the query string, decoded, in the order sent.
 * @throws {InvalidQueryError} 400: a parameter that is unknown, given twice, or has a value it cannot have.
 * @throws {InvalidCursorError} 400: `cursor` is empty or longer than 4096 characters.
 * @see SPEC §4.1
 */
export function parseListQuery(
  pairs: readonly (readonly [name: string, value: string])[],
  rules: ListRules,
): ListRequest {
  const parameters = uniqueParameters(pairs, rules);
  const page = isCursorStyle(parameters) ? parseCursorStyle(parameters) : parseOffsetStyle(parameters);
  const sort = parameters.get('sort');
  return {
    ...page,
    sort: sort === undefined ? [] : parseSort(sort, rules.sortable),
    filter: parseFilters(parameters, rules),
  };
}

function uniqueParameters(pairs: readonly (readonly [string, string])[], rules: ListRules): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (!LIST_PARAMETERS.includes(name) && !Object.hasOwn(rules.filters, name)) {
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

function isCursorStyle(parameters: ReadonlyMap<string, string>): boolean {
  if (!parameters.has('limit') && !parameters.has('cursor')) return false;
  const offset = ['page', 'per_page'].find((name) => parameters.has(name));
  if (offset === undefined) return true;
  throw new InvalidQueryError(
    offset,
    'mixed_styles',
    `"${offset}" cannot stand beside "cursor" or "limit": use one style of paging.`,
  );
}

function parseOffsetStyle(parameters: ReadonlyMap<string, string>): Omit<OffsetRequest, 'sort' | 'filter'> {
  const page = parsePage(parameters.get('page'));
  return { style: 'offset', page, perPage: parsePageSize('per_page', parameters.get('per_page')) };
}

function parseCursorStyle(parameters: ReadonlyMap<string, string>): Omit<CursorRequest, 'sort' | 'filter'> {
  const limit = parsePageSize('limit', parameters.get('limit'));
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
  return filter;
}
