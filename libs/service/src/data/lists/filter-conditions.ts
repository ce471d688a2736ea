import type { ListFilter } from '@items/paging';
import type { Dialect } from '../schema/dialect.js';
import type { Parameters } from './page-statement.js';
import { sqlName } from '../schema/quoted.js';

/**
 * PostgreSQL plans without the values. If values seem common on average, PostgreSQL would scan another index until a
 * match appears. The redundant BETWEEN makes values look rare.
 */
export function filterConditions(dialect: Dialect, filter: ListFilter, params: Parameters): string[] {
  return Object.entries(filter).map(([name, values]) => {
    const field = sqlName(name);
    const [first, ...others] = values.map((value) => params.add(value));
    if (others.length > 0) return `${field} IN (${[first, ...others].join(', ')})`;
    const equal = `${field} = ${String(first)}`;
    return dialect === 'sqlite' ? equal : `${equal} AND ${field} BETWEEN ${String(first)} AND ${String(first)}`;
  });
}

/** `IS TRUE` prevents the use of an index of the filter, because a read in list order can stop after one page. */
export function siftConditions(filter: ListFilter, params: Parameters): string[] {
  return Object.entries(filter).map(
    ([field, values]) => `(${sqlName(field)} IN (${values.map((value) => params.add(value)).join(', ')})) IS TRUE`,
  );
}

export function filterWhere(dialect: Dialect, filter: ListFilter, params: Parameters): string {
  return filterConditions(dialect, filter, params).join(' AND ') || 'TRUE';
}

/** Splits a filter into filters with one value per field. Only for such filters, an index has the rows in order. */
export function singleFilters(filter: ListFilter): readonly ListFilter[] {
  const fields = Object.keys(filter);
  const values = Object.values(filter);
  return combinations(values).map((choice) =>
    Object.fromEntries(fields.map((field, index) => [field, [choice[index] ?? '']])),
  );
}

export function combinations<T>(lists: readonly (readonly T[])[]): T[][] {
  return lists.reduce<T[][]>((sofar, list) => sofar.flatMap((head) => list.map((value) => [...head, value])), [[]]);
}

export function countCombinations(lists: readonly (readonly unknown[])[]): number {
  return lists.reduce((count, list) => count * list.length, 1);
}
