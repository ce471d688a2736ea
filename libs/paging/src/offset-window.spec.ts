import fc from 'fast-check';

import { lastPage, offsetWindow, type OffsetPosition } from './offset-window.js';

const rows = fc.record({
  page: fc.integer({ min: 1, max: 40 }),
  perPage: fc.integer({ min: 1, max: 12 }),
  total: fc.integer({ min: 0, max: 200 }),
});

/** Simulates the read of a window by a database. */
function read({ page, perPage, total }: OffsetPosition): number[] {
  const all = Array.from({ length: total }, (_, index) => index);
  const { skip, take, fromEnd } = offsetWindow({ page, perPage, total });
  if (!fromEnd) return all.slice(skip, skip + take);
  return all
    .reverse()
    .slice(skip, skip + take)
    .reverse();
}

describe('SPEC §4: offset style', () => {
  it('reads the rows of the page, and of no other', () => {
    fc.assert(
      fc.property(rows, ({ page, perPage, total }) => {
        const start = (page - 1) * perPage;
        const expected = Array.from({ length: total }, (_, index) => index).slice(start, start + perPage);
        expect(read({ page, perPage, total })).toEqual(expected);
      }),
    );
  });

  it('skips at most half of the rows', () => {
    fc.assert(
      fc.property(rows, (position) => {
        expect(offsetWindow(position).skip).toBeLessThanOrEqual(position.total / 2);
      }),
    );
  });

  it.each([
    [
      { page: 1, perPage: 20, total: 1_000_000 },
      { skip: 0, take: 20, fromEnd: false },
    ],
    [
      { page: 49_501, perPage: 20, total: 1_000_000 },
      { skip: 9_980, take: 20, fromEnd: true },
    ],
    [
      { page: 3, perPage: 20, total: 45 },
      { skip: 0, take: 5, fromEnd: true },
    ],
    [
      { page: 4, perPage: 20, total: 45 },
      { skip: 0, take: 0, fromEnd: false },
    ],
    [
      { page: 1, perPage: 20, total: 0 },
      { skip: 0, take: 0, fromEnd: false },
    ],
    [
      { page: 2 ** 53 - 1, perPage: 100, total: 1_000_000 },
      { skip: 0, take: 0, fromEnd: false },
    ],
  ])('%j is %j', (position, window) => {
    expect(offsetWindow(position)).toStrictEqual(window);
  });

  it('stays within the safe integers for every page and total', () => {
    const sizes = fc.record({
      page: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      perPage: fc.integer({ min: 1, max: 100 }),
      total: fc.integer({ min: 0, max: 2 ** 50 }),
    });
    fc.assert(
      fc.property(sizes, (position) => {
        const { skip, take } = offsetWindow(position);
        expect(Number.isSafeInteger(skip) && skip >= 0).toBe(true);
        expect(Number.isSafeInteger(take) && take >= 0 && take <= position.perPage).toBe(true);
      }),
    );
  });

  it.each([
    [0, 1],
    [1, 1],
    [20, 1],
    [21, 2],
  ])('%d rows of 20 a page end on page %d', (total, page) => {
    expect(lastPage({ perPage: 20, total })).toBe(page);
  });
});
