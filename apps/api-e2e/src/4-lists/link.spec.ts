import { freshColor } from '@items/testing';

import { admin } from '../harness/clients.js';
import { createMany } from '../harness/items.js';
import { linksOf } from '../harness/link.js';
import { cursorPageOf, offsetPageOf } from '../harness/reading.js';

describe('§4 Lists carry a Link header (RFC 8288)', () => {
  const color = freshColor();
  const query = `color=${color}&sort=-price,name`;

  beforeAll(() => createMany(7, color));

  async function links(rest: string): Promise<Record<string, string>> {
    return linksOf(await admin.get(`/items?${query}&${rest}`));
  }

  async function page(target: string | undefined): Promise<{ page: number; ids: string[] }> {
    const { page: number, items } = offsetPageOf(await admin.get(target ?? ''));
    return { page: number, ids: items.map((item) => item.id) };
  }

  it('a page in offset style has first, prev, next and last', async () => {
    expect(Object.keys(await links('per_page=2&page=2')).sort()).toEqual(['first', 'last', 'next', 'prev']);
  });

  it('the first page has no prev, the last no next', async () => {
    expect(Object.keys(await links('per_page=2')).sort()).toEqual(['first', 'last', 'next']);
    expect(Object.keys(await links('per_page=2&page=4')).sort()).toEqual(['first', 'last', 'prev']);
    expect(Object.keys(await links('per_page=7')).sort()).toEqual(['first', 'last']);
  });

  it('each leads to its page, with the same filter, sort and page size', async () => {
    const { first, prev, next, last } = await links('per_page=2&page=2');
    const expected = await Promise.all([1, 3, 4].map((number) => page(`/items?${query}&per_page=2&page=${number}`)));
    expect([await page(first), await page(next), await page(last)]).toEqual(expected);
    expect(await page(prev)).toEqual(expected[0]);
    const { color: kept, sort } = Object.fromEntries(new URL(next ?? '', 'http://x').searchParams);
    expect([kept, sort]).toEqual([color, '-price,name']);
  });

  it('past the end, last is still the last page, and nothing comes next', async () => {
    const found = await links('per_page=2&page=9');
    expect(found).not.toHaveProperty('next');
    expect((await page(found['last'])).page).toBe(4);
  });

  it('an empty list has no next', async () => {
    const found = linksOf(await admin.get(`/items?color=${freshColor()}`));
    expect(found).not.toHaveProperty('next');
    expect(found).not.toHaveProperty('prev');
  });

  it('the links have the capped limit of 100', async () => {
    const { first } = await links('per_page=1000');
    expect(offsetPageOf(await admin.get(first ?? '')).per_page).toBe(100);
  });

  it('next in cursor style leads to the page of next_cursor', async () => {
    const start = await admin.get(`/items?${query}&limit=3`);
    const { next_cursor: cursor } = cursorPageOf(start);
    const { next } = linksOf(start);
    const byLink = cursorPageOf(await admin.get(next ?? ''));
    const byCursor = cursorPageOf(
      await admin.get(`/items?${query}&limit=3&cursor=${encodeURIComponent(cursor ?? '')}`),
    );
    expect(byLink.items).toEqual(byCursor.items);
    expect(byLink.limit).toBe(3);
  });

  it('the last page in cursor style has no next', async () => {
    expect(await links('limit=7')).not.toHaveProperty('next');
  });

  it('values that need encoding survive', async () => {
    const odd = `a&b=c ${freshColor().slice(0, 12)}>"é`;
    await createMany(3, odd);
    const { next } = linksOf(await admin.get(`/items?color=${encodeURIComponent(odd)}&per_page=2`));
    expect(offsetPageOf(await admin.get(next ?? '')).items).toHaveLength(1);
  });
});
