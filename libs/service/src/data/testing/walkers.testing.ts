import { setImmediate as yieldToEventLoop, setTimeout as sleep } from 'node:timers/promises';

import type { ListFilter, ListRequest, SortKey } from '@items/paging';

import type { Item } from './item-collection.testing.js';
import type { ServedPage } from './judge.testing.js';
import type { WalkRequest } from './oracle.testing.js';
import type { Random } from './random.testing.js';
import { anyRange } from './ranges.testing.js';

const FIELDS = ['name', 'color', 'price', 'created_at', 'updated_at'] as const;
const FILTERS: readonly ListFilter[] = [
  {},
  {},
  { color: ['cyan'] },
  { color: ['cyan', 'red'] },
  { color: ['"quoted"', 'цвет', '🎨'] },
  { color: ['cyan', 'gone', 'nowhere'] },
  { color: Array.from({ length: 40 }, (_, index) => `x${String(index)}`).concat('red') },
];

/** Serves items in cursor style. */
export type ServePage = (request: ListRequest) => Promise<{ items: readonly Item[]; nextCursor: string | undefined }>;

/** Every sort in both directions, several keys, every filter, often a range. */
export function anyWalk(random: Random): WalkRequest {
  const fields = [...FIELDS].sort(() => random.next() - 0.5).slice(0, random.pick([0, 1, 1, 1, 1, 2, 3]));
  const sort: SortKey[] = fields.map((field) => ({ field, descending: random.chance(0.5) }));
  const [first] = sort;
  const range = first && random.chance(0.5) ? anyRange(first.field, random) : undefined;
  return { sort, filter: random.pick(FILTERS), range };
}

/**
 * Walks to the end, with a different `limit` for every page and pauses in between.
 * @param others Serves all pages after the first.
 * @param served Receives the id of the last row of each page.
 */
export async function walk(
  { sort, filter, range }: WalkRequest,
  first: ServePage,
  others: ServePage,
  random: Random,
  served: (id: string) => void,
): Promise<ServedPage[]> {
  const pages: ServedPage[] = [];
  let cursor: string | undefined;
  do {
    const limit = random.pick([1, 2, 3, 7, 13, 20, 40]) + (cursor === undefined ? 0 : random.below(20));
    const serve = cursor === undefined ? first : others;
    const requestedAt = performance.now();
    const more = { ...(range && { range }), ...(cursor && { cursor }) };
    const { items, nextCursor } = await serve({ style: 'cursor', limit, sort, filter, ...more });
    pages.push({ requestedAt, answeredAt: performance.now(), items });
    const last = items.at(-1);
    if (last !== undefined) served(last.id);
    cursor = nextCursor;
    await (random.chance(0.3) ? sleep(random.below(8)) : yieldToEventLoop());
  } while (cursor !== undefined);
  return pages;
}
