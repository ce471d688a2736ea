import { type CheckContext } from '../context.js';
import { expectStatus, expectThat } from '../expectations.js';
import { type OwnItem } from '../lists/own-items.js';
import { idsOf, rowsOf } from '../pages/rows.js';
import { nextCursor, walkByCursor } from '../pages/walk.js';
import { type Exchange, fieldsOf, header } from '../service/exchange.js';
import { NotApplicable } from '../verdict.js';
import { decided, type Draft } from './specified.js';

const own = ['items.write', 'color'] as const;

/** Queries that must be refused with 400, by the name of their check. */
const refused: readonly [string, string, string][] = [
  ['mixed', 'Mixing the styles is 400.', 'page=1&limit=2'],
  ['per-page-zero', '`per_page` and `limit`: 0 is 400.', 'per_page=0'],
  ['limit-negative', '`per_page` and `limit`: negative is 400.', 'limit=-1'],
  ['limit-fraction', '`per_page` and `limit`: fractional is 400.', 'limit=1.5'],
  ['limit-text', '`per_page` and `limit`: not a number is 400.', 'limit=ten'],
  ['page-zero', '`page` is 1 … 2^53 − 1, else 400: 0.', 'page=0'],
  ['page-large', '`page` is 1 … 2^53 − 1, else 400: 2^53.', 'page=9007199254740992'],
  ['unknown', 'Unknown parameter: 400.', 'colour=red'],
  ['unknown-sort', 'Unknown sort: 400.', 'sort=size'],
  ['twice', 'A parameter given twice: 400.', 'color=red&color=blue'],
  ['array', '`color[]=`: 400.', 'color[]=red'],
  ['range-sort', 'A range on another field than the first of `sort`: 400.', 'sort=name&price_min=1'],
  ['range-page', 'A range with `page` or `per_page`: 400.', 'price_min=1&page=1'],
  ['range-fields', 'A range on two fields: 400.', 'price_min=1&name_prefix=a'],
  ['range-date', 'Times of a range are RFC 3339: a date alone is 400.', 'created_at_min=2026-11-01'],
  ['cursor-garbage', 'The cursor is opaque and authenticated: an invented one is 400.', 'cursor=AAAA'],
  ['cursor-long', 'The cursor is at most 4096 characters.', `cursor=${'A'.repeat(4097)}`],
];

export const decidedLists = decided([
  ...refused.map(([name, sentence, query]): Draft => ({
    id: `4.query.${name}`,
    sentence,
    needs: [],
    run: async ({ service }) => {
      expectStatus(await service.get(`/items?${query}`), 400);
    },
  })),
  {
    id: '4.query.named',
    sentence: 'Unknown parameter, unknown sort, a parameter given twice, `color[]=`: 400, naming it.',
    needs: [],
    run: async ({ service }) => {
      const answer = await service.get('/items?colour=red');
      expectThat(String(fieldsOf(answer.json)['error']).includes('colour'), answer, '400 that names colour');
    },
  },
  {
    id: '4.list.default-style',
    sentence: '`limit` or `cursor` selects cursor style, otherwise offset style (`page` = 1, `per_page` = 20).',
    needs: [],
    run: async ({ service }) => {
      const list = await service.get('/items');
      const { page, per_page: perPage } = fieldsOf(list.json);
      expectThat(page === 1 && perPage === 20, list, '`page`: 1 and `per_page`: 20');
    },
  },
  {
    id: '4.list.maximum',
    sentence: 'More than 100 is served as 100 and the envelope says so.',
    needs: [],
    run: async ({ service }) => {
      const list = await service.get('/items?per_page=101');
      expectThat(fieldsOf(list.json)['per_page'] === 100, list, '200 with `per_page`: 100');
    },
  },
  {
    id: '4.list.past-the-end',
    sentence: 'A page past the end: 200, empty `items`, the true `total`.',
    needs: own,
    run: async (context) => {
      const { color } = await rowsOfPrices(context, [1, 2, 3]);
      const list = await context.service.get(`/items?color=${color}&page=9`);
      expectStatus(list, 200);
      expectThat(rowsOf(list).length === 0 && fieldsOf(list.json)['total'] === 3, list, 'no items and `total`: 3');
    },
  },
  {
    id: '4.list.total',
    sentence: '`total` is exact, of what the filter leaves.',
    needs: own,
    run: async (context) => {
      const { color } = await rowsOfPrices(context, [1, 2, 3]);
      const list = await context.service.get(`/items?color=${color}&per_page=2`);
      expectThat(fieldsOf(list.json)['total'] === 3, list, '`total`: 3');
    },
  },
  {
    id: '4.list.link',
    sentence: 'Lists carry a `Link` header (RFC 8288: first, prev, next, last where known).',
    needs: own,
    run: async (context) => {
      const { color } = await rowsOfPrices(context, [1, 2, 3]);
      const list = await context.service.get(`/items?color=${color}&per_page=1&page=2`);
      const link = header(list, 'link') ?? '';
      const missing = ['first', 'prev', 'next', 'last'].filter((rel) => !link.includes(`rel="${rel}"`));
      expectThat(
        missing.length === 0,
        list,
        'a Link of first, prev, next and last',
        `no ${missing.join(', ')}: ${link}`,
      );
    },
  },
  {
    id: '4.list.link-cursor',
    sentence: 'Lists carry a `Link` header: by cursor, next leads to the next page.',
    needs: [...own, 'cursor'],
    run: async (context) => {
      const { color } = await rowsOfPrices(context, [1, 2, 3]);
      const list = await context.service.get(`/items?color=${color}&limit=1`);
      const next = (header(list, 'link') ?? '').split(',').find((one) => one.includes('rel="next"'));
      expectThat(next?.includes(nextCursor(list) ?? ' ') === true, list, 'a Link to next with the next_cursor');
    },
  },
  {
    id: '4.list.no-etag',
    sentence: 'Lists carry no ETag.',
    needs: [],
    run: async ({ service }) => {
      const list = await service.get('/items');
      expectThat(header(list, 'etag') === undefined, list, 'no ETag');
    },
  },
  ordered(
    'ascending',
    '`sort`: one or more of `name`, `color`, `price`, `created_at`, `updated_at`: ascending.',
    'price',
    [1, 5, 30, null],
  ),
  ordered('descending', '`sort`: `-` for descending; nulls come last either way.', '-price', [30, 5, 1, null]),
  ordered('default', 'Default: creation order.', undefined, [5, null, 30, 1]),
  ordered('several', '`sort`: several separated by commas (`sort=-price,name`).', '-price,name', [30, 5, 1, null]),
  {
    id: '4.filter.either',
    sentence: '`color=red` exact, `color=red,blue` either (each row once).',
    needs: own,
    run: async (context) => {
      const [one, other] = [await rowsOfPrices(context, [1]), await rowsOfPrices(context, [2])];
      const list = await context.service.get(`/items?color=${one.color},${other.color}`);
      const expected = [...one.items, ...other.items].map(({ id }) => id);
      expectThat(idsOf(list).join() === expected.join(), list, `the items ${expected.join(', ')}`);
    },
  },
  {
    id: '4.cursor.changed-byte',
    sentence: 'The cursor is authenticated: a changed byte is 400.',
    needs: [...own, 'cursor'],
    run: async (context) => {
      const cursor = await cursorOf(context, 'limit=1');
      const middle = Math.floor(cursor.length / 2);
      const changed = cursor.slice(0, middle) + (cursor[middle] === 'A' ? 'B' : 'A') + cursor.slice(middle + 1);
      expectStatus(await context.service.get(`/items?limit=1&cursor=${encodeURIComponent(changed)}`), 400);
    },
  },
  {
    id: '4.cursor.other-sort',
    sentence: "The cursor is bound to its collection's path, filter and sort (another one: 400): another sort.",
    needs: [...own, 'cursor'],
    run: async (context) => {
      const cursor = await cursorOf(context, 'limit=1&sort=name');
      expectStatus(await context.service.get(`/items?limit=1&sort=price&cursor=${encodeURIComponent(cursor)}`), 400);
    },
  },
  {
    id: '4.cursor.other-filter',
    sentence: "The cursor is bound to its collection's path, filter and sort (another one: 400): another filter.",
    needs: [...own, 'cursor'],
    run: async (context) => {
      const cursor = await cursorOf(context, 'limit=1');
      expectStatus(await context.service.get(`/items?limit=1&color=red&cursor=${encodeURIComponent(cursor)}`), 400);
    },
  },
  {
    id: '4.cursor.other-limit',
    sentence: '`limit` may change between pages.',
    needs: [...own, 'cursor'],
    run: async (context) => {
      const cursor = await cursorOf(context, 'limit=1');
      const page = await context.service.get(`/items?limit=2&cursor=${encodeURIComponent(cursor)}`);
      expectThat(page.status === 200 && rowsOf(page).length === 2, page, '2 items');
    },
  },
  {
    id: '4.cursor.first-values',
    sentence:
      'A walk returns each row … in order, with the values of that moment, whatever other clients insert or update.',
    needs: [...own, 'cursor', 'price'],
    run: async (context) => {
      const { items, color } = await rowsOfPrices(context, [10, 20, 30, 40]);
      const { rows, pages } = await walkByCursor(
        context.service,
        { color, sort: 'price', limit: 2 },
        {
          change: async () => {
            for (const item of items) await context.items.replace(item, { color, price: 1 });
            await context.items.create({ color, price: 35 });
          },
        },
      );
      const prices = rows.map((row) => fieldsOf(row)['price']).join();
      const [first] = pages;
      if (first) expectThat(prices === '10,20,30,40', pages.at(-1) ?? first, 'prices 10,20,30,40', `prices ${prices}`);
    },
  },
]);

/** Checks the order of four items, created with the prices 5, null, 30 and 1. */
function ordered(
  name: string,
  sentence: string,
  sort: string | undefined,
  expected: readonly (number | null)[],
): Draft {
  return {
    id: `4.sort.${name}`,
    sentence,
    needs: [...own, 'price'],
    run: async (context) => {
      const { color } = await rowsOfPrices(context, [5, null, 30, 1]);
      const list = await context.service.get(`/items?color=${color}${sort === undefined ? '' : `&sort=${sort}`}`);
      const prices = rowsOf(list).map((row) => fieldsOf(row)['price']);
      expectThat(
        prices.join() === expected.join(),
        list,
        `prices ${expected.map(String).join(', ')}`,
        `prices ${prices.map(String).join(', ')}`,
      );
    },
  };
}

async function rowsOfPrices(
  context: CheckContext,
  prices: readonly (number | null)[],
): Promise<{ color: string; items: OwnItem[] }> {
  if (!context.found.colorsAreOwn) throw new NotApplicable('an item cannot have any colour');
  const color = context.word('l').replaceAll('-', '').slice(0, 24);
  return { color, items: await context.items.createMany(prices.map((price) => ({ color, price }))) };
}

async function cursorOf(context: CheckContext, query: string): Promise<string> {
  await context.items.createMany([{}, {}, {}]);
  const page: Exchange = await context.service.get(`/items?${query}`);
  const cursor = nextCursor(page);
  if (cursor === undefined) throw new NotApplicable('there is no next_cursor');
  return cursor;
}
