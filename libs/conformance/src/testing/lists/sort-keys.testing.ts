import { type Item } from '../right-service.testing.js';
import { type Compare, type Key, type Listing } from './list-options.testing.js';

export function compareKeys(a: Key, b: Key): number {
  if (a === b) return 0;
  return (a ?? '') < (b ?? '') ? -1 : 1;
}

export function compareBy(sort: string, { nulls = 'last', fault }: Pick<Listing, 'nulls' | 'fault'>): Compare {
  const sign = sort.startsWith('-') ? -1 : 1;
  if (sort === '') return () => 0;
  const key = (item: Item): Key => {
    const value = keyOf(item, sort);
    return fault === 'sorts as text' && value !== null ? String(value) : value;
  };
  const atEnd = nulls === 'last' ? 1 : nulls === 'first' ? -1 : sign;
  return (one, other) => {
    const [a, b] = [key(one), key(other)];
    if (a === null || b === null) return a === b ? 0 : (a === null ? 1 : -1) * atEnd;
    return sign * compareKeys(a, b);
  };
}

export function keyOf(item: Item, sort: string): Key {
  return item[sort.replace('-', '') as keyof Item] ?? null;
}

/** Returns the size of the page for a requested size. */
export function sizeOf(value: string | null, sort: string | null, options: Omit<Listing, 'paging'>): number {
  const { defaultSize = 20, largestSize = 100, fault } = options;
  if (fault === 'ignores size' || (fault === 'ignores size when sorted' && sort !== null)) return defaultSize;
  return Math.min(Number(value ?? defaultSize), largestSize) + (fault === 'one more than the size' ? 1 : 0);
}
