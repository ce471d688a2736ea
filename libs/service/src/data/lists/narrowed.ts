import type { ListFilter, ListRange } from '@items/paging';

import { compareText } from './ordering.js';

export interface NarrowedList {
  readonly filter: ListFilter;
  readonly range: ListRange | undefined;
  readonly isEmpty: boolean;
}

/** If filter and range apply to the same field, only the filter values within the range remain. */
export function narrowed(filter: ListFilter, range: ListRange | undefined): NarrowedList {
  if (range === undefined) return { filter, range, isEmpty: false };
  const { field, min, max } = range;
  const values = filter[field];
  if (values === undefined) return { filter, range, isEmpty: min !== undefined && max !== undefined && min > max };
  const left = values.filter((value) => isWithin(value, range));
  return { filter: { ...filter, [field]: left }, range: undefined, isEmpty: left.length === 0 };
}

function isWithin(value: string | number, { min, max, below }: ListRange): boolean {
  return (
    (min === undefined || compare(value, min) >= 0) &&
    (max === undefined || compare(value, max) <= 0) &&
    (below === undefined || compare(value, below) < 0)
  );
}

function compare(a: string | number, b: string | number): number {
  return typeof a === 'string' ? compareText(a, String(b)) : a - Number(b);
}
