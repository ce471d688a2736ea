import type { Item } from '@items/dtos/contract';

/** The sort fields of items in §4. */
export const SORTABLE = ['name', 'color', 'price', 'created_at', 'updated_at'] as const;
type Sortable = (typeof SORTABLE)[number];

/** Filter and sort order of a list. Follows the sentences of §4. */
export interface ListModel {
  /** `name,-price`. Default: order of creation. */
  readonly sort?: string;
  /** `red,blue`. Default: all items. */
  readonly color?: string;
}

/** The items of a list, in order. @param items all items, in order of creation. */
export function listOf(items: readonly Item[], { sort, color }: ListModel): Item[] {
  const colors = color?.split(',');
  const matching = items.filter((item) => colors === undefined || (item.color !== null && colors.includes(item.color)));
  const keys = sort?.split(',') ?? [];
  return [...matching].sort((a, b) => compareBy(keys, a, b));
}

function compareBy(keys: readonly string[], a: Item, b: Item): number {
  for (const key of keys) {
    const descending = key.startsWith('-');
    const field = key.replace(/^-/, '') as Sortable;
    const order = compareValues(a[field], b[field], descending);
    if (order !== 0) return order;
  }
  // The id always breaks ties. Ids increase in order of creation.
  return compareCodePoints(a.id, b.id);
}

/** Nulls come last in both directions. */
function compareValues(a: string | number | null, b: string | number | null, descending: boolean): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  const order = typeof a === 'number' ? a - Number(b) : compareCodePoints(a, String(b));
  return descending ? -order : order;
}

/** By code point; `<` compares strings by UTF-16 code unit. */
export function compareCodePoints(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (let i = 0; i < Math.min(left.length, right.length); i += 1) {
    const order = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
