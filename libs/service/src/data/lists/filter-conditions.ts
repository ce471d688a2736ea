import type { ListFilter } from '@items/paging';
import type { Dialect } from '../schema/dialect.js';

import { combinations } from './combinations.js';
import type { Parameters } from './page-statement.js';

/**
 * The conditions of a filter: each field has one of its values.
 *
 * PostgreSQL plans without knowing the values, and takes a rare one for a common one, which it would rather meet by
 * chance on its way through another index. That the value lies between itself and itself makes it seem rare always.
 */
export function filterConditions(dialect: Dialect, filter: ListFilter, params: Parameters): string[] {
  return Object.entries(filter).map(([field, values]) => {
    const [first, ...others] = values.map((value) => params.add(value));
    if (others.length > 0) return `${field} IN (${[first, ...others].join(', ')})`;
    const equal = `${field} = ${String(first)}`;
    return dialect === 'sqlite' ? equal : `${equal} AND ${field} BETWEEN ${String(first)} AND ${String(first)}`;
  });
}

/** The conditions of a filter, in a form that no index is chosen for. */
export function siftConditions(filter: ListFilter, params: Parameters): string[] {
  return Object.entries(filter).map(
    ([field, values]) => `(${field} IN (${values.map((value) => params.add(value)).join(', ')})) IS TRUE`,
  );
}

/** The WHERE of a filter. */
export function filterWhere(dialect: Dialect, filter: ListFilter, params: Parameters): string {
  return filterConditions(dialect, filter, params).join(' AND ') || 'TRUE';
}

/** The filter as filters of one value each, whose rows an index has in order. */
export function singleFilters(filter: ListFilter): readonly ListFilter[] {
  const fields = Object.keys(filter);
  const values = Object.values(filter);
  return combinations(values).map((choice) =>
    Object.fromEntries(fields.map((field, index) => [field, [choice[index] ?? '']])),
  );
}
