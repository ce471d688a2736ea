import { freshColor } from '@items/testing';

import { admin } from '../harness/clients.js';
import { createItem, createMany, deleteItem } from '../harness/items.js';
import { errorOf, fieldsOf, offsetPageOf } from '../harness/reading.js';

const LARGEST_PAGE = 9_007_199_254_740_991;

describe('§4 Lists in offset style', () => {
  const color = freshColor();
  let ids: string[];

  beforeAll(async () => {
    ids = (await createMany(23, color)).map((item) => item.id).sort();
  });

  async function page(query: string): Promise<ReturnType<typeof offsetPageOf>> {
    return offsetPageOf(await admin.get(`/items?color=${color}${query}`));
  }

  it('the defaults are page = 1 and per_page = 20', async () => {
    const first = await page('');
    expect(first).toMatchObject({ page: 1, per_page: 20, total: 23 });
    expect(first.items).toHaveLength(20);
    expect(Object.keys(first).sort()).toEqual(['items', 'page', 'per_page', 'total']);
    expect((await page('&page=1&per_page=20')).items).toEqual(first.items);
  });

  it.each([1, 2, 7, 22, 23, 24, 100])('pages of %i hold every item once', async (perPage) => {
    const found: string[] = [];
    for (let number = 1; number <= Math.ceil(23 / perPage); number += 1) {
      const { items, ...envelope } = await page(`&page=${number}&per_page=${perPage}`);
      expect(envelope).toEqual({ page: number, per_page: perPage, total: 23 });
      found.push(...items.map((item) => item.id));
    }
    expect(found).toHaveLength(23);
    expect([...found].sort()).toEqual(ids);
  });

  it.each(['101', '1000', '4294967297', '9007199254740993', '100000000000000000000'])(
    'per_page=%s is served as 100, also in the envelope',
    async (perPage) => {
      expect(await page(`&per_page=${perPage}`)).toMatchObject({ per_page: 100, total: 23 });
    },
  );

  it.each(['2', '1000', String(2 ** 31), String(2 ** 53 - 2), String(LARGEST_PAGE)])(
    'A page past the end is 200 with empty items and the true total: page=%s',
    async (number) => {
      const past = await page(`&per_page=100&page=${number}`);
      expect(past).toEqual({ items: [], page: Number(number), per_page: 100, total: 23 });
    },
  );

  it('the last page has the remaining rows', async () => {
    expect((await page('&page=2')).items).toHaveLength(3);
  });

  const wrong = [
    '0',
    '-1',
    '-0',
    '1.5',
    '1.0',
    'abc',
    '',
    '%20',
    '%201',
    '1%20',
    '1e1',
    '%2B1',
    '0x1',
    'NaN',
    'Infinity',
    'null',
    '%EF%BC%91',
    '1,2',
    '%00',
    "1'",
  ];

  it.each(wrong.filter((value) => value !== '-0'))('page=%s is 400', async (value) => {
    const error = errorOf(await admin.get(`/items?page=${value}`), 400);
    expect(fieldsOf(error)).toEqual(['page']);
    expect(error.error).toContain('page');
  });

  it.each(wrong)('per_page=%s is 400', async (value) => {
    const error = errorOf(await admin.get(`/items?per_page=${value}`), 400);
    expect(fieldsOf(error)).toEqual(['per_page']);
    expect(error.error).toContain('per_page');
  });

  it.each(['9007199254740992', '9007199254740993', '100000000000000000000', '1'.repeat(400)])(
    'page is at most 2^53 − 1: %s is 400',
    async (value) => {
      expect(fieldsOf(errorOf(await admin.get(`/items?page=${value}`), 400))).toEqual(['page']);
    },
  );

  it('total is exact after every change', async () => {
    const own = freshColor();
    const total = async (): Promise<number> => offsetPageOf(await admin.get(`/items?color=${own}`)).total;
    expect(await total()).toBe(0);
    const items = await Promise.all(Array.from({ length: 12 }, () => createItem({ color: own })));
    expect(await total()).toBe(12);
    await Promise.all(items.slice(0, 5).map((item) => deleteItem(item.id)));
    expect(await total()).toBe(7);
    await admin.put(`/items/${items[6]!.id}`, { name: 'Lamp', color: 'another' });
    await admin.put(`/items/${items[7]!.id}`, { name: 'Lamp' });
    expect(await total()).toBe(5);
    await Promise.all(items.map((item) => admin.delete(`/items/${item.id}`)));
    expect(await total()).toBe(0);
  });
});
