import type { Item, ItemInput } from '@items/dtos/contract';
import { freshColor } from '@items/testing';

import { admin } from '../harness/clients.js';
import { createItems, createMany, walk } from '../harness/items.js';
import { linksOf } from '../harness/link.js';
import { cursorPageOf, errorOf, expectStatus, fieldsOf } from '../harness/reading.js';
import { listOf } from '../model/item-list.js';

const own = freshColor();

const INPUTS: readonly Partial<ItemInput>[] = [
  ...[10, 10.5, 10.51, 0, null, 99.99, 999_999_999.99, 10.5, 2].map((price, n) => ({ price, name: `n${n}` })),
  ...['Blue', 'Blue mug', 'blue', 'Blu', 'Bluf', '\u{10FFFF}', '\u{10FFFF}a', '\uD7FF', '\uE000', '100%_'].map(
    (name) => ({
      name,
      price: null,
    }),
  ),
].map((input) => ({ ...input, color: own }));

describe('§4 Ranges', () => {
  let items: Item[];
  beforeAll(async () => {
    items = await createItems(INPUTS);
  });

  const listed = (query: string): Promise<Item[]> => walk(`color=${own}&limit=3&${query}`);

  it.each<[query: string, sort: string, isWithin: (price: number) => boolean]>([
    ['sort=price&price_min=10.5', 'price', (price) => price >= 10.5],
    ['price_min=10.5&price_max=10.51', 'price', (price) => price >= 10.5 && price <= 10.51],
    ['price_min=10.501', 'price', (price) => price > 10.501],
    ['price_max=10.509&sort=-price', '-price', (price) => price <= 10.509],
    ['price_min=1e1&price_max=1E%2B2', 'price', (price) => price >= 10 && price <= 100],
    ['price_min=99999999999.999', 'price', () => false],
    ['price_max=99999999999.999', 'price', () => true],
    ['price_min=-1e400&price_max=1e400', 'price', () => true],
    ['price_min=0&price_max=-0.0', 'price', (price) => price === 0],
    ['sort=-price,name&price_min=2&price_max=99.99', '-price,name', (price) => price >= 2 && price <= 99.99],
    ['price_min=20&price_max=10', 'price', () => false],
    ['price_min=1e400', 'price', () => false],
  ])('numbers, both ends included, nulls in none: ?%s', async (query, sort, isWithin) => {
    const within = items.filter(({ price }) => price !== null && isWithin(price));
    expect(await listed(query)).toEqual(listOf(within, { sort }));
  });

  it.each([
    'Blue',
    'Blue mug',
    'blu',
    'n',
    '\u{10FFFF}',
    '\uD7FF',
    '\uE000',
    '100%',
    '100%_',
    'Bl%',
    'nothing',
    '\u{10FFFF}\u{10FFFF}',
  ])('texts that begin with %j, compared by code points', async (prefix) => {
    const within = items.filter(({ name }) => name.startsWith(prefix));
    const query = `name_prefix=${encodeURIComponent(prefix)}`;
    expect(await listed(query)).toEqual(listOf(within, { sort: 'name' }));
    expect(await listed(`sort=-name,price&${query}`)).toEqual(listOf(within, { sort: '-name,price' }));
  });

  it('times with Z or an offset, finer fractions compared', async () => {
    const sorted = listOf(items, { sort: 'created_at' });
    const middle = sorted[7]!.created_at;
    const at = (time: string): string => encodeURIComponent(time);
    const from = sorted.filter(({ created_at: time }) => time >= middle);
    expect(await listed(`created_at_min=${at(middle)}`)).toEqual(from);
    expect(await listed(`created_at_min=${at(middle.replace('Z', '+00:00'))}`)).toEqual(from);
    const finer = middle.replace('Z', '0001Z');
    expect(await listed(`created_at_min=${finer}`)).toEqual(sorted.filter(({ created_at: time }) => time > middle));
    expect(await listed(`created_at_max=${finer}`)).toEqual(sorted.filter(({ created_at: time }) => time <= middle));
    const updated = `sort=-updated_at&updated_at_min=${middle}&updated_at_max=2999-01-01T00:00:00Z`;
    expect(await listed(updated)).toEqual(
      listOf(items, { sort: '-updated_at' }).filter(({ updated_at: time }) => time >= middle),
    );
  });

  it('a range and a filter on one field both apply', async () => {
    const start = own.slice(0, -1);
    expect(await walk(`color=${own},x${own}&sort=color&color_prefix=${start}&limit=5`)).toHaveLength(items.length);
    expect(await walk(`color=x${own},y${own}&color_prefix=${start}`)).toEqual([]);
  });

  it('a range selects cursor style, and Link repeats the range', async () => {
    const query = `color=${own}&name_prefix=Blue%20`;
    expect(cursorPageOf(await admin.get(`/items?${query}`))).toMatchObject({ limit: 20 });
    const answer = await admin.get(`/items?price_min=2&color=${own}&limit=2`);
    const { next = '' } = linksOf(answer);
    expect(next).toContain('price_min=2');
    const second = cursorPageOf(await admin.get(next)).items;
    expect(second).toEqual((await listed('price_min=2')).slice(2, 4));
  });

  it('the cursor is bound to the range; limit may change', async () => {
    const list = `color=${own}&sort=price`;
    const { next_cursor: cursor = '' } = cursorPageOf(await admin.get(`/items?${list}&price_min=2&limit=1`));
    cursorPageOf(await admin.get(`/items?${list}&price_min=2.00&limit=5&cursor=${cursor}`));
    for (const other of ['price_min=3', 'price_max=2', 'price_min=2&price_max=9', '', 'price_min=9&price_max=1']) {
      const error = errorOf(await admin.get(`/items?${list}&${other}&cursor=${cursor}`), 400);
      expect(error.code).toBe('invalid_cursor');
    }
    const { next_cursor: whole = '' } = cursorPageOf(await admin.get(`/items?${list}&limit=1`));
    expect(errorOf(await admin.get(`/items?${list}&price_min=0&cursor=${whole}`), 400).code).toBe('invalid_cursor');
  });

  it.each([
    ['sort=name&price_min=1', /sort=price/],
    ['sort=name,price&price_min=1', /sort=price/],
    ['price_min=1&created_at_min=2026-11-01T00:00:00Z', /"sort"/],
    ['price_min=1&page=1', /cursor style/],
    ['price_min=1&per_page=10', /cursor style/],
    ['sort=name&name_prefix=B&page=2&per_page=5', /cursor style/],
  ])('?%s is 400 invalid_range with a remedy', async (query, sentence) => {
    expect(errorOf(await admin.get(`/items?${query}`), 400)).toMatchObject({
      code: 'invalid_range',
      error: expect.stringMatching(sentence),
    });
  });

  it.each([
    ...[
      'price_min=',
      'price_min=abc',
      'price_min=1,5',
      'price_max=0x1',
      'price_min=+1',
      'price_min=1e',
      'price_max=NaN',
    ],
    ...['created_at_min=2026-11-01', 'created_at_max=1793491200', 'updated_at_min=2026-02-30T00:00:00Z'],
    ...[
      'name_prefix=',
      'name_prefix=%00',
      `name_prefix=${'x'.repeat(201)}`,
      `price_min=1.${'0'.repeat(39)}`,
      'name_prefix=a&name_prefix=a',
    ],
    ...['price_prefix=1', 'name_min=a', 'description_prefix=a', 'id_prefix=0', 'price_Min=1', 'price_min[]=1'],
  ])('?%.40s is 400, naming it', async (query) => {
    const parameter = query.slice(0, query.indexOf('='));
    expect(fieldsOf(errorOf(await admin.get(`/items?${query}`), 400))).toEqual([parameter]);
  });

  it('a leap second means the following second; any other second 60 is 400', async () => {
    for (const time of ['2016-12-31T23:59:60Z', '2016-12-31T23:59:60.999Z']) {
      expect(await walk(`color=${own}&created_at_max=${time}`)).toEqual([]);
    }
    const query = 'created_at_max=2016-12-31T12:00:60Z';
    expect(fieldsOf(errorOf(await admin.get(`/items?${query}`), 400))).toEqual(['created_at_max']);
  });

  it('the feeds have the same bounds', async () => {
    const long = `2016-12-31T23:59:59.${'0'.repeat(21)}Z`;
    for (const feed of ['/events', '/audit-events']) {
      errorOf(await admin.get(`${feed}?timestamp_min=${long}`), 400);
      expectStatus(await admin.get(`${feed}?timestamp_max=2016-12-31T23:59:60Z`), 200);
    }
  });

  it('a prefix that is not UTF-8 is 400', async () => {
    errorOf(await admin.get('/items?name_prefix=%ED%A0%80'), 400);
  });

  it('a prefix may have 200 characters outside the first plane', async () => {
    expect(await walk(`color=${own}&name_prefix=${encodeURIComponent('😀'.repeat(200))}`)).toEqual([]);
  });

  it.each(['sort=price', 'sort=-price', 'sort=-price,name', 'sort=price,created_at'])(
    'a walk lists each row that was in the range at its first page, despite changes of prices: %s',
    async (sort) => {
      const color = freshColor();
      const created = await createMany(30, color);
      const query = `color=${color}&${sort}&price_min=10&price_max=40.5`;
      const before = await walk(`${query}&limit=100`);
      expect(before.length).toBeGreaterThan(10);
      const walked = await walk(`${query}&limit=4`, (page) =>
        Promise.all(
          created
            .filter((_, index) => index % 3 === page % 3)
            .map(({ id, name }, index) =>
              admin.put(`/items/${id}`, { name, color, price: index % 2 === 0 ? 20 + page : 60 }),
            ),
        ),
      );
      expect(walked).toEqual(before);
    },
  );
});
