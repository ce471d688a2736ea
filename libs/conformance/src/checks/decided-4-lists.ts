import type { CheckContext } from '../check.js';
import { expectStatus, expectThat, NotApplicable } from '../verdict.js';
import type { OwnItem } from '../lists/own-items.js';
import { idsOf, nextCursor, type Parameters, queryOf, rowsOf, walkByCursor } from '../pages/walk.js';
import { fieldOf, fieldsOf, header } from '../service/exchange.js';
import { about, answers, decided, type Draft, ofList } from './specified.js';

const own = ['items.write', 'color'] as const;

const ofThreeRows = about(own, (context) => rowsOfPrices(context, [1, 2, 3]));
const ofCursor = about([...own, 'cursor'], (context) => cursorOf(context, { limit: 1 }));

const pricesToSort = [5, null, 30, 1];
const ascending = [1, 5, 30, null];
const descending = [30, 5, 1, null];

export const decidedLists = decided([], {
  '4.query.mixed': refused('Mixing the styles is 400.', 'page=1&limit=2'),
  '4.query.per-page-zero': refused('`per_page` and `limit`: 0 is 400.', 'per_page=0'),
  '4.query.limit-negative': refused('`per_page` and `limit`: negative is 400.', 'limit=-1'),
  '4.query.limit-fraction': refused('`per_page` and `limit`: fractional is 400.', 'limit=1.5'),
  '4.query.limit-text': refused('`per_page` and `limit`: not a number is 400.', 'limit=ten'),
  '4.query.page-zero': refused('`page` is 1 … 2^53 − 1: 0 is 400.', 'page=0'),
  '4.query.page-large': refused('`page` is 1 … 2^53 − 1: 2^53 is 400.', 'page=9007199254740992'),
  '4.query.unknown': refused('Unknown parameter: 400.', 'colour=red'),
  '4.query.unknown-sort': refused('Unknown sort: 400.', 'sort=size'),
  '4.query.twice': refused('A parameter given twice: 400.', 'color=red&color=blue'),
  '4.query.array': refused('`color[]=`: 400.', 'color[]=red'),
  '4.query.range-sort': refused('A range on another field than the first of `sort`: 400.', 'sort=name&price_min=1'),
  '4.query.range-page': refused('A range with `page` or `per_page`: 400.', 'price_min=1&page=1'),
  '4.query.range-fields': refused('A range on two fields: 400.', 'price_min=1&name_prefix=a'),
  '4.query.range-date': refused('Times of a range are RFC 3339: a date alone is 400.', 'created_at_min=2026-11-01'),
  '4.query.cursor-garbage': refused(
    'The cursor is opaque and authenticated: an invented cursor is 400.',
    'cursor=AAAA',
  ),
  '4.query.cursor-long': refused('The cursor is at most 4096 characters.', `cursor=${'A'.repeat(4097)}`),
  '4.query.named': {
    sentence: 'Unknown parameter, unknown sort, a parameter given twice, `color[]=`: 400 that names the parameter.',
    run: async ({ service }) => {
      const answer = await service.get('/items?colour=red');
      expectThat(String(fieldOf(answer, 'error')).includes('colour'), answer, '400 that names colour');
    },
  },
  '4.list.default-style': ofList(
    '`limit` or `cursor` selects cursor style, otherwise offset style (`page` = 1, `per_page` = 20).',
    async (list) => {
      const isDefault = fieldOf(list, 'page') === 1 && fieldOf(list, 'per_page') === 20;
      expectThat(isDefault, list, '`page`: 1 and `per_page`: 20');
    },
  ),
  '4.list.maximum': {
    sentence: 'More than 100 is lowered to 100, and the response shows 100.',
    run: async ({ service }) => {
      const list = await service.get('/items?per_page=101');
      expectThat(fieldOf(list, 'per_page') === 100, list, '200 with `per_page`: 100');
    },
  },
  '4.list.past-the-end': ofThreeRows(
    'A page past the end: 200, empty `items`, the true `total`.',
    async ({ color }, { service }) => {
      const list = await service.get(`/items?color=${color}&page=9`);
      expectStatus(list, 200);
      expectThat(rowsOf(list).length === 0 && fieldOf(list, 'total') === 3, list, 'no items and `total`: 3');
    },
  ),
  '4.list.total': ofThreeRows(
    '`total` is the exact number of rows that match the filter.',
    async ({ color }, { service }) => {
      const list = await service.get(`/items?color=${color}&per_page=2`);
      expectThat(fieldOf(list, 'total') === 3, list, '`total`: 3');
    },
  ),
  '4.list.link': ofThreeRows(
    'Lists carry a `Link` header (RFC 8288: first, prev, next, last where known).',
    async ({ color }, { service }) => {
      const list = await service.get(`/items?color=${color}&per_page=1&page=2`);
      const link = header(list, 'link') ?? '';
      const missing = ['first', 'prev', 'next', 'last'].filter((rel) => !link.includes(`rel="${rel}"`));
      const actual = `no ${missing.join(', ')}: ${link}`;
      expectThat(missing.length === 0, list, 'a Link of first, prev, next and last', actual);
    },
  ),
  '4.list.link-cursor': {
    sentence: 'Lists carry a `Link` header: in cursor style, next leads to the next page.',
    needs: [...own, 'cursor'],
    run: async (context) => {
      const { color } = await rowsOfPrices(context, [1, 2, 3]);
      const list = await context.service.get(`/items?color=${color}&limit=1`);
      const next = (header(list, 'link') ?? '').split(',').find((one) => one.includes('rel="next"'));
      expectThat(next?.includes(nextCursor(list) ?? ' ') === true, list, 'a Link to next with the next_cursor');
    },
  },
  '4.list.no-etag': ofList('Lists carry no ETag.', async (list) => {
    expectThat(header(list, 'etag') === undefined, list, 'no ETag');
  }),
  '4.sort.ascending': ordered(
    '`sort`: one or more of `name`, `color`, `price`, `created_at`, `updated_at`: ascending.',
    'price',
    ascending,
  ),
  '4.sort.descending': ordered('`sort`: `-` for descending; nulls come last either way.', '-price', descending),
  '4.sort.default': ordered('Default: creation order.', undefined, pricesToSort),
  '4.sort.several': ordered('`sort`: several separated by commas (`sort=-price,name`).', '-price,name', descending),
  '4.filter.either': {
    sentence: '`color=red` exact, `color=red,blue` either (each row once).',
    needs: own,
    run: async (context) => {
      const [one, other] = [await rowsOfPrices(context, [1]), await rowsOfPrices(context, [2])];
      const list = await context.service.get(`/items?color=${one.color},${other.color}`);
      const expected = [...one.items, ...other.items].map(({ id }) => id);
      expectThat(idsOf(list).join() === expected.join(), list, `the items ${expected.join(', ')}`);
    },
  },
  '4.cursor.changed-byte': ofCursor(
    'The cursor is authenticated: a changed byte is 400.',
    async (cursor, { service }) => {
      const middle = Math.floor(cursor.length / 2);
      const changed = cursor.slice(0, middle) + (cursor[middle] === 'A' ? 'B' : 'A') + cursor.slice(middle + 1);
      expectStatus(await service.get(`/items${queryOf({ limit: 1, cursor: changed })}`), 400);
    },
  ),
  '4.cursor.other-sort': boundCursor('another sort', { sort: 'name' }, { sort: 'price' }),
  '4.cursor.other-filter': boundCursor('another filter', {}, { color: 'red' }),
  '4.cursor.other-limit': ofCursor('`limit` may change between pages.', async (cursor, { service }) => {
    const page = await service.get(`/items${queryOf({ limit: 2, cursor })}`);
    expectThat(page.status === 200 && rowsOf(page).length === 2, page, '2 items');
  }),
  '4.cursor.first-values': {
    sentence:
      'A walk returns each row … in order, with the values of that moment, while other clients insert and update.',
    needs: [...own, 'cursor', 'price'],
    run: async (context) => {
      const { items, color } = await rowsOfPrices(context, [10, 20, 30, 40]);
      const change = async (): Promise<void> => {
        for (const item of items) await context.items.replace(item, { color, price: 1 });
        await context.items.create({ color, price: 35 });
      };
      const { rows, pages } = await walkByCursor(context.service, { color, sort: 'price', limit: 2 }, { change });
      const prices = pricesIn(rows).join();
      const last = pages.at(-1);
      if (last) expectThat(prices === '10,20,30,40', last, 'prices 10,20,30,40', `prices ${prices}`);
    },
  },
  '4.range.both': ranged(
    '`<field>_min` and `<field>_max`, both inclusive; null is in no range.',
    ['10', '20'],
    '10,10.5,20',
  ),
  '4.range.exact': ranged(
    'Numbers have JSON’s grammar and are compared exactly, with any decimals.',
    ['1.0001e1', '20.009'],
    '10.5,20',
  ),
  '4.range.empty': ranged('`_min` above `_max`: 200 with no rows.', ['20', '10'], ''),
});

function refused(sentence: string, query: string): Draft {
  return answers(400, sentence, { path: `/items?${query}` });
}

function ordered(sentence: string, sort: string | undefined, expected: readonly (number | null)[]): Draft {
  return {
    sentence,
    needs: [...own, 'price'],
    run: async (context) => {
      const { color } = await rowsOfPrices(context, pricesToSort);
      const list = await context.service.get(`/items?color=${color}${sort === undefined ? '' : `&sort=${sort}`}`);
      const prices = pricesIn(rowsOf(list));
      const inWords = (some: readonly unknown[]): string => `prices ${some.map(String).join(', ')}`;
      expectThat(prices.join() === expected.join(), list, inWords(expected), inWords(prices));
    },
  };
}

/** @param expected The prices of the rows in the range, separated by commas. */
function ranged(sentence: string, [min, max]: readonly [string, string], expected: string): Draft {
  return {
    sentence,
    needs: [...own, 'cursor', 'price'],
    run: async (context) => {
      const { color } = await rowsOfPrices(context, [20, 5, null, 10.5, 10, 30]);
      const query = { color, sort: 'price', price_min: min, price_max: max, limit: 2 };
      const { rows, pages } = await walkByCursor(context.service, query);
      const prices = pricesIn(rows).join();
      const [first] = pages;
      if (first) expectThat(prices === expected, first, `prices ${expected}`, `prices ${prices}`);
    },
  };
}

/** Creates a check that the cursor of one query is refused in another query. */
function boundCursor(other: string, before: Parameters, after: Parameters): Draft {
  const sentence = `The cursor is bound to its collection's path, filter and sort: 400 with ${other}.`;
  const draft = answers(400, sentence, async (context) => {
    const cursor = await cursorOf(context, { limit: 1, ...before });
    return { path: `/items${queryOf({ limit: 1, ...after, cursor })}` };
  });
  return { ...draft, needs: [...own, 'cursor'] };
}

function pricesIn(rows: readonly unknown[]): unknown[] {
  return rows.map((row) => fieldsOf(row)['price']);
}

async function rowsOfPrices(
  context: CheckContext,
  prices: readonly (number | null)[],
): Promise<{ color: string; items: OwnItem[] }> {
  if (!context.found.colorsAreOwn) throw new NotApplicable('the service restricts the colours of items');
  const color = context.label('l');
  return { color, items: await context.items.createMany(prices.map((price) => ({ color, price }))) };
}

async function cursorOf({ items, service }: CheckContext, query: Parameters): Promise<string> {
  await items.createMany(3);
  const cursor = nextCursor(await service.get(`/items${queryOf(query)}`));
  if (cursor === undefined) throw new NotApplicable('there is no next_cursor');
  return cursor;
}
