import type { Item, ItemInput } from '@items/dtos/contract';
import { freshColor } from '@items/testing';
import fc from 'fast-check';

import { admin } from '../harness/clients.js';
import { createItems, walkPages } from '../harness/items.js';
import { linksOf } from '../harness/link.js';
import { errorOf, offsetPageOf } from '../harness/reading.js';
import { listOf, SORTABLE } from '../model/item-list.js';

const COLORS = [freshColor(), freshColor(), freshColor()];
const NAMES = ['a', 'A', 'b', 'é', '\u{1F600}', '\uffff', 'aa', 'a b', '_', '10', '9'];

/** Thirty items with many ties and nulls. */
const INPUTS: readonly Partial<ItemInput>[] = Array.from({ length: 30 }, (_, i) => ({
  name: NAMES[(i * 7) % NAMES.length] ?? 'a',
  color: COLORS[i % 3] ?? null,
  price: i % 5 === 0 ? null : ((i * 31) % 9) / 4,
}));

const sorts = fc
  .uniqueArray(fc.tuple(fc.constantFrom('', '-'), fc.constantFrom(...SORTABLE)), {
    maxLength: 4,
    selector: ([, field]) => field,
  })
  .map((keys) => keys.map(([direction, field]) => direction + field).join(','));
const colors = fc
  .uniqueArray(fc.constantFrom(...COLORS), { minLength: 1, maxLength: 3 })
  .map((chosen) => chosen.join());
const sizes = fc.integer({ min: 1, max: 40 });

function queryOf(color: string, sort: string): string {
  return `color=${color}${sort === '' ? '' : `&sort=${sort}`}`;
}

describe('§4 Lists, for any query', () => {
  let items: Item[];

  beforeAll(async () => {
    items = await createItems(INPUTS);
  });

  function expected(color: string, sort: string): Item[] {
    return listOf(items, { color, ...(sort === '' ? {} : { sort }) });
  }

  it('an offset page is the slice of the model, with the exact total', async () => {
    await fc.assert(
      fc.asyncProperty(colors, sorts, sizes, fc.integer({ min: 1, max: 12 }), async (color, sort, perPage, page) => {
        const model = expected(color, sort);
        const answer = await admin.get(`/items?${queryOf(color, sort)}&per_page=${perPage}&page=${page}`);
        expect(offsetPageOf(answer)).toEqual({
          items: model.slice((page - 1) * perPage, page * perPage),
          page,
          per_page: perPage,
          total: model.length,
        });
        expect('next' in linksOf(answer)).toBe(page * perPage < model.length);
      }),
      { numRuns: 150 },
    );
  });

  it('a walk lists the members of the model, in pages of the requested size', async () => {
    await fc.assert(
      fc.asyncProperty(colors, sorts, sizes, async (color, sort, limit) => {
        const pages = await walkPages(`${queryOf(color, sort)}&limit=${limit}`);
        expect(pages.flat()).toEqual(expected(color, sort));
        expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('the order of the parameters does not matter', async () => {
    await fc.assert(
      fc.asyncProperty(colors, sorts, sizes, async (color, sort, perPage) => {
        const parameters = [`per_page=${perPage}`, ...queryOf(color, sort).split('&')];
        const one = offsetPageOf(await admin.get(`/items?${parameters.join('&')}`));
        const other = offsetPageOf(await admin.get(`/items?${parameters.reverse().join('&')}`));
        expect(other).toEqual(one);
      }),
      { numRuns: 30 },
    );
  });

  it('any other parameter is a 400 that names it', async () => {
    const known = ['page', 'per_page', 'limit', 'cursor', 'sort', 'color', 'token', 'password'];
    const names = fc
      .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 })
      .filter((name) => !known.includes(name.toLowerCase()) && !/key|token|secret|password/i.test(name));
    await fc.assert(
      fc.asyncProperty(names, fc.string({ unit: 'grapheme', maxLength: 10 }), async (name, value) => {
        const query = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
        const { details = [] } = errorOf(await admin.get(`/items?${query}`), 400);
        expect(details.map((detail) => detail.field)).toEqual([name]);
      }),
      { numRuns: 100 },
    );
  });

  it('any number for a page or a size is served or a 400, never anything else', async () => {
    const numbers = fc.oneof(
      fc.integer().map(String),
      fc.double().map(String),
      fc.bigInt().map(String),
      fc.string({ unit: 'grapheme-ascii', maxLength: 6 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('page', 'per_page', 'limit'), numbers, async (name, text) => {
        const isPositive = /^[1-9]\d*$/.test(text);
        const isServed = isPositive && (name !== 'page' || BigInt(text) <= BigInt(Number.MAX_SAFE_INTEGER));
        const answer = await admin.get(`/items?${name}=${encodeURIComponent(text)}`);
        if (/^0+[1-9]\d*$/.test(text)) expect([200, 400]).toContain(answer.status);
        else expect([text, answer.status]).toEqual([text, isServed ? 200 : 400]);
      }),
      { numRuns: 150 },
    );
  });

  it('any cursor that the service has not issued is a 400', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 300 }), async (cursor) => {
        errorOf(await admin.get(`/items?cursor=${encodeURIComponent(cursor)}`), 400);
      }),
      { numRuns: 60 },
    );
  });
});

describe('§7 For any path', () => {
  it('the response is a resource or an error, the same each time', async () => {
    const segment = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => encodeURIComponent(text));
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { minLength: 1, maxLength: 4 }), async (segments) => {
        const target = `/${segments.join('/')}`;
        const first = await admin.get(target);
        expect([200, 404]).toContain(first.status);
        if (first.status === 404) expect((await admin.get(target)).text).toBe(first.text);
        expect([200, 404]).toContain((await admin.get(`/items${target}`)).status);
      }),
      { numRuns: 100 },
    );
  });
});
