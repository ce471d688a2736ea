import type { ListFilter, ListRange, SortKey } from '@items/paging';

/** A row of `items` in the database. */
export interface ItemRow {
  readonly id: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly name: string;
  readonly description: string | null;
  readonly color: string | null;
  readonly price: number | null;
}

export interface WalkRequest {
  readonly sort: readonly SortKey[];
  readonly filter: ListFilter;
  readonly range?: ListRange | undefined;
}

/**
 * Returns the list that a walk from this state must return. It follows the specification, without the code under test.
 * SPEC §4.1
 */
export function expectedList(state: readonly ItemRow[], { sort, filter, range }: WalkRequest): ItemRow[] {
  const matches = (row: ItemRow): boolean =>
    Object.entries(filter).every(([field, values]) => values.includes(row[field as 'color'] as string)) &&
    (range === undefined || isWithin(row[range.field as keyof ItemRow], range));
  return state.filter(matches).sort((a, b) => {
    for (const { field, descending } of sort) {
      const order = compare(a[field as keyof ItemRow], b[field as keyof ItemRow], descending);
      if (order !== 0) return order;
    }
    return compareBytes(a.id, b.id);
  });
}

/** Null is outside every range. */
function isWithin(value: Value, { min, max, below }: ListRange): boolean {
  if (value === null) return false;
  const isAfterMin = min === undefined || compare(value, min, false) >= 0;
  const isBeforeMax = max === undefined || compare(value, max, false) <= 0;
  return isAfterMin && isBeforeMax && (below === undefined || compare(value, below, false) < 0);
}

export function shown(row: ItemRow): unknown {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    color: row.color,
    price: row.price === null ? null : row.price / 100,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}

type Value = string | number | null;

function compare(a: Value, b: Value, descending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order = typeof a === 'number' ? a - Number(b) : compareBytes(a, String(b));
  return descending ? -order : order;
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
