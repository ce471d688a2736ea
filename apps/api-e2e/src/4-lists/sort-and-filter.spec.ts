import type { Item, ItemInput } from '@items/dtos/contract';
import { freshColor } from '@items/testing';

import { admin } from '../harness/clients.js';
import { untilAfter } from '../harness/clock.js';
import { createItems, walk } from '../harness/items.js';
import { offsetPageOf } from '../harness/reading.js';
import { listOf, SORTABLE } from '../model/item-list.js';

const red = freshColor();
const blue = freshColor();

/** Ties, nulls, and names whose order by code point differs from that of a dictionary and of UTF-16. */
const INPUTS: readonly Partial<ItemInput>[] = [
  { name: 'b', color: red, price: 2 },
  { name: 'a', color: blue, price: null },
  { name: 'B', color: red, price: 10 },
  { name: 'a', color: red, price: 2 },
  { name: '\u{1F600}', color: blue, price: 0 },
  { name: '\uff5e', color: red, price: null },
  { name: 'é', color: blue, price: 9.99 },
  { name: 'Z', color: red, price: 9.9 },
  { name: 'a ', color: blue, price: 100 },
  { name: 'ab', color: red, price: 0 },
  { name: '_', color: blue, price: 2 },
  { name: 'a-b', color: red, price: null },
  { name: '10', color: blue, price: 0.01 },
  { name: '9', color: red, price: 999_999_999.99 },
  { name: '\uffff', color: blue, price: 2 },
];

const SORTS = [
  ...SORTABLE.flatMap((field) => [field, `-${field}`]),
  'price,name',
  '-price,name',
  'price,-name',
  '-price,-name',
  'color,price,name',
  '-color,-price',
  'name,created_at',
  'color,-updated_at',
  'price,color,name,created_at,updated_at',
];

describe('§4 sort', () => {
  let items: Item[];
  const both = `color=${red},${blue}`;

  beforeAll(async () => {
    items = await createItems(INPUTS);
  });

  it('Default: creation order', async () => {
    expect((await walk(`${both}&limit=4`)).map((item) => item.id)).toEqual(items.map((item) => item.id));
  });

  it.each(SORTS)('sort=%s: by code point, nulls last either way, the id breaks ties', async (sort) => {
    const expected = listOf(items, { sort });
    const whole = offsetPageOf(await admin.get(`/items?${both}&sort=${sort}&per_page=100`));
    expect(whole.items).toEqual(expected);
    expect(await walk(`${both}&sort=${sort}&limit=4`)).toEqual(expected);
    const second = offsetPageOf(await admin.get(`/items?${both}&sort=${sort}&per_page=4&page=2`));
    expect(second.items).toEqual(expected.slice(4, 8));
  });

  it('each of a thousand different lists is served repeatedly', async () => {
    const sorts = SORTABLE.flatMap((first) => SORTABLE.filter((other) => other !== first).map((next) => [first, next]));
    const targets = sorts.flatMap(([first, next]) =>
      Array.from({ length: 50 }, (_, size) => `/items?sort=${first},-${next}&limit=${size + 1}&${both}`),
    );
    for (let at = 0; at < targets.length; at += 25) {
      const answers = await Promise.all(targets.slice(at, at + 25).map((target) => admin.get(target)));
      expect(answers.filter((answer) => answer.status !== 200)).toEqual([]);
    }
  });

  it.each(['-updated_at', 'updated_at'])('sort=%s after a change', async (sort) => {
    const own = freshColor();
    const created = await createItems([{ color: own }, { color: own }, { color: own }]);
    await untilAfter(created.at(-1)!.updated_at);
    await admin.put(`/items/${created[0]!.id}`, { name: 'Later', color: own });
    const names = (await walk(`color=${own}&sort=${sort}`)).map((item) => item.name);
    expect(names.indexOf('Later')).toBe(sort.startsWith('-') ? 0 : 2);
  });
});

describe('§4 color', () => {
  const upper = `${red.slice(0, 20)}R`;
  const spaced = `${red.slice(0, 20)} %`;

  beforeAll(async () => {
    await createItems([{ color: upper }, { color: upper.toLowerCase() }, { color: spaced }]);
  });

  async function total(color: string): Promise<number> {
    const page = offsetPageOf(await admin.get(`/items?color=${color}&per_page=100`));
    expect(page.items).toHaveLength(page.total);
    return page.total;
  }

  it('color=red is exact', async () => {
    expect(await total(red)).toBe(8);
    expect(await total(red.slice(0, -1))).toBe(0);
    expect(await total(upper)).toBe(1);
    expect(await total(upper.toLowerCase())).toBe(1);
    expect(await total(encodeURIComponent(spaced))).toBe(1);
    expect(await total(`${red.slice(0, 20)}%25`)).toBe(0);
    expect(await total(`${red.slice(0, -1)}_`)).toBe(0);
  });

  it('a plus is a space, as in forms', async () => {
    expect(await total(encodeURIComponent(spaced).replace('%20', '+'))).toBe(1);
  });

  it('color=red,blue lists both colours, each row once', async () => {
    expect(await total(`${red},${blue}`)).toBe(15);
    expect(await total(`${blue},${red}`)).toBe(15);
    expect(await total(`${red},${red}`)).toBe(8);
    expect(await total(`${red}%2C${blue}`)).toBe(15);
    expect(await total(`${red},unknown-${red.slice(0, 8)}`)).toBe(8);
  });

  it('the list of an unused colour is empty', async () => {
    expect(await total(freshColor())).toBe(0);
    expect(await total('null-'.concat(freshColor().slice(0, 10)))).toBe(0);
  });
});
