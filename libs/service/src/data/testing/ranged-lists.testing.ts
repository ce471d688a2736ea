import type { ListFilter, ListRange, SortKey } from '@items/paging';

import { COLORS, FIRST_MS } from './many-items.testing.js';

/** A list of a range of its first key. */
export interface RangedList {
  readonly sort: readonly SortKey[];
  readonly filter: ListFilter;
  readonly range: ListRange;
}

const RANGES: readonly ListRange[] = [
  { field: 'name', min: 'Item 1', below: 'Item 2' },
  { field: 'color', min: 'c1', below: 'c2' },
  { field: 'price', min: 10_000, max: 30_000 },
  { field: 'price', max: 30_000 },
  { field: 'price', min: 20_000 },
  { field: 'created_at', min: FIRST_MS + 5000, max: FIRST_MS + 15_000 },
  { field: 'updated_at', max: FIRST_MS + 500_000 },
  { field: 'updated_at', min: FIRST_MS + 500_000 },
];
const FILTERS: readonly ListFilter[] = [{}, { color: ['red'] }, { color: COLORS.slice(0, 32).sort() }];

/** Ranges of every field, in both directions, with each filter, and some with another key. */
export const RANGED_LISTS: readonly RangedList[] = RANGES.flatMap((range) =>
  [false, true].flatMap((descending) => [
    ...FILTERS.map((filter) => ({ sort: [{ field: range.field, descending }], filter, range })),
    {
      sort: [
        { field: range.field, descending },
        { field: range.field === 'name' ? 'price' : 'name', descending: true },
      ],
      filter: {},
      range,
    },
  ]),
);

/** The comparison that an index must have at the end of a scan. Undefined if a filter fixes the values. */
export function endOf({ sort: [first], filter, range }: RangedList): ScanEnd | undefined {
  const { field: column, min, max, below } = range;
  if (column in filter) return undefined;
  const isBounded = first?.descending === true ? min !== undefined : max !== undefined || below !== undefined;
  return isBounded ? { column, operator: first?.descending === true ? '>' : '<' } : undefined;
}

export interface ScanEnd {
  readonly column: string;
  readonly operator: '<' | '>';
}
