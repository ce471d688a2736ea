import type { ListRange } from '@items/paging';

import type { Random } from './random.testing.js';

/** Ends of ranges: prices of rows, and others. */
const PRICES = [-1, 0, 1, 2, 4, 5, 8, 13, 40, 89, 99, 99_999_999_999];
const PREFIXES = [
  ...[
    ['a', 'b'],
    ['A', 'B'],
    ['é', 'ê'],
    ['a1', 'a2'],
    ['～', '｟'],
    ['𐀀', '𐀁'],
  ],
  ...[
    ['c', 'd'],
    ['r', 's'],
    ['"', '#'],
    ['ц', 'ч'],
    ['🎨', '🎩'],
  ],
] as const;
/** Maximum age of rows. */
const AGE_MS = 3000;

/** Returns a range that usually contains rows. */
export function anyRange(field: string, random: Random): ListRange {
  if (field === 'name' || field === 'color') {
    const [min, below] = random.pick(PREFIXES);
    return { field, min, below };
  }
  const value = (): number => (field === 'price' ? random.pick(PRICES) : Date.now() - random.below(AGE_MS));
  const [low, high] = [value(), value()];
  const ends = random.pick(['min', 'max', 'both', 'both'] as const);
  return {
    field,
    ...(ends !== 'max' && { min: Math.min(low, high) }),
    ...(ends !== 'min' && { max: Math.max(low, high) }),
  };
}
