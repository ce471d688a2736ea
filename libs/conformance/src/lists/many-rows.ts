import { type CheckContext } from '../context.js';

/** More rows than the usual page has: a page size that is ignored does not show in a shorter list. */
const rowsBeyondOnePage = 25;

/** Makes sure that the list has more rows than a page that nobody asked to be small. */
export function manyRows({ items, once }: CheckContext): Promise<void> {
  return once('many rows', async () => {
    const missing = rowsBeyondOnePage - items.count;
    await items.createMany(Array.from({ length: Math.max(0, missing) }, () => ({})));
  });
}
