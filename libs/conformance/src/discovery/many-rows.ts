import { type CheckContext } from '../context.js';

/** More rows than a default page, because a shorter list does not show that a page size is ignored. */
const rowsBeyondOnePage = 25;

export function manyRows({ items, once }: CheckContext): Promise<void> {
  return once('many rows', async () => {
    const missing = rowsBeyondOnePage - items.count;
    await items.createMany(Array.from({ length: Math.max(0, missing) }, () => ({})));
  });
}
