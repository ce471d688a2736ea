import type { CheckContext } from '../context.js';
import { expectStatus, expectThat, NotApplicable } from '../verdict.js';
import type { OwnItem } from '../lists/own-items.js';
import { idsOf, nextCursor, rowsOf, walkByCursor } from '../pages/walk.js';
import { type Exchange, fieldsOf, header } from '../service/exchange.js';
import { decided, type Draft } from './specified.js';

const own = ['items.write', 'color'] as const;

export const decidedLists = decided([], {
  '4.query.mixed': refused('Mixing the styles is 400.', 'page=1&limit=2'),
  '4.query.per-page-zero': refused('`per_page` and `limit`: 0 is 400.', 'per_page=0'),
  '4.query.limit-negative': refused('`per_page` and `limit`: negative is 400.', 'limit=-1'),
  '4.query.limit-fraction': refused('`per_page` and `limit`: fractional is 400.', 'limit=1.5'),
  '4.query.limit-text': refused('`per_page` and `limit`: not a number is 400.', 'limit=ten'),
  '4.query.page-zero': refused('`page` is 1 … 2^53 − 1, else 400: 0.', 'page=0'),
  '4.query.page-large': refused('`page` is 1 … 2^53 − 1, else 400: 2^53.', 'page=9007199254740992'),
  '4.query.unknown': refused('Unknown parameter: 400.', 'colour=red'),
  '4.query.unknown-sort': refused('Unknown sort: 400.', 'sort=size'),
  '4.query.twice': refused('A parameter given twice: 400.', 'color=red&color=blue'),
  '4.query.array': refused('`color[]=`: 400.', 'color[]=red'),
  '4.query.range-sort': refused('A range on another field than the first of `sort`: 400.', 'sort=name&price_min=1'),
  '4.query.range-page': refused('A range with `page` or `per_page`: 400.', 'price_min=1&page=1'),
  '4.query.range-fields': refused('A range on two fields: 400.', 'price_min=1&name_prefix=a'),
  '4.query.range-date': refused('Times of a range are RFC 3339: a date alone is 400.', 'created_at_min=2026-11-01'),
  '4.query.cursor-garbage': refused('The cursor is opaque and authenticated: an invented one is 400.', 'cursor=AAAA'),
  '4.query.cursor-long': refused('The cursor is at most 4096 characters.', `cursor=${'A'.repeat(4097)}`),
  '4.query.named': {
    sentence: 'Unknown parameter, unknown sort, a parameter given twice, `color[]=`: 400, naming it.',
    run: async ({ service }) => {
      const answer = await service.get('/items?colour=red');
      expectThat(String(fieldsOf(answer.json)['error']).includes('colour'), answer, '400 that names colour');
    },
  },
  '4.list.default-style': {
    sentence: '`limit` or `cursor` selects cursor style, otherwise offset style (`page` = 1, `per_page` = 20).',
    run: async ({ service }) => {
      const list = await service.get('/items');
      const { page, per_page: perPage } = fieldsOf(list.json);
      expectThat(page === 1 && perPage === 20, list, '`page`: 1 and `per_page`: 20');
    },
  },
  '4.list.maximum': {
    sentence: 'More than 100 is served as 100 and the envelope says so.',
    run: async ({ service }) => {
      const list = await service.get('/items?per_page=101');
      expectThat(fieldsOf(list.json)['per_page'] === 100, list, '200 with `per_page`: 100');
    },
  },
  '4.list.past-the-end': {
    sentence: 'A page past the end: 200, empty `items`, the true `total`.',
    needs: own,
    run: async (context) => {
      const { color } = await rowsOfPrices(context, [1, 2, 3]);
      const list = await context.service.get(`/items?color=${color}&page=9`);
      expectStatus(list, 200);
      expectThat(rowsOf(list).length === 0 && fieldsOf(list.json)['total'] === 3, list, 'no items and `total`: 3');
    },
  },
  '4.list.total': {
    sentence: '`total` is exact, of what the filter leaves.',
    needs: own,
    run: async (context) => {
      const { color } = await rowsOfPrices(context, [1, 2, 3]);
      const list = await context.service.get(`/items?color=${color}&per_page=2`);
      expectThat(fieldsOf(list.json)['total'] === 3, list, '`total`: 3');
    },
  },
  '4.list.link': {
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
  '4.list.link-cursor': {
    sentence: 'Lists carry a `Link` header: by cursor, next leads to the next page.',
    needs: [...own, 'cursor'],
    run: async (context) => {
      const { color } = await rowsOfPrices(context, [1, 2, 3]);
      const list = await context.service.get(`/items?color=${color}&limit=1`);
      const next = (header(list, 'link') ?? '').split(',').find((one) => one.includes('rel="next"'));
      expectThat(next?.includes(nextCursor(list) ?? ' ') === true, list, 'a Link to next with the next_cursor');
    },
  },
  '4.list.no-etag': {
    sentence: 'Lists carry no ETag.',
    run: async ({ service }) => {
      const list = await service.get('/items');
      expectThat(header(list, 'etag') === undefined, list, 'no ETag');
    },
  },
  '4.sort.ascending': ordered(
    '`sort`: one or more of `name`, `color`, `price`, `created_at`, `updated_at`: ascending.',
    'price',
    [1, 5, 30, null],
  ),
  '4.sort.descending': ordered('`sort`: `-` for descending; nulls come last either way.', '-price', [30, 5, 1, null]),
  '4.sort.default': ordered('Default: creation order.', undefined, [5, null, 30, 1]),
  '4.sort.several': ordered('`sort`: several separated by commas (`sort=-price,name`).', '-price,name', [
    30,
    5,
    1,
    null,
  ]),
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
  '4.cursor.changed-byte': {
    sentence: 'The cursor is authenticated: a changed byte is 400.',
    needs: [...own, 'cursor'],
    run: async (context) => {
      const cursor = await cursorOf(context, 'limit=1');
      const middle = Math.floor(cursor.length / 2);
      const changed = cursor.slice(0, middle) + (cursor[middle] === 'A' ? 'B' : 'A') + cursor.slice(middle + 1);
      expectStatus(await context.service.get(`/items?limit=1&cursor=${encodeURIComponent(changed)}`), 400);
    },
  },
  '4.cursor.other-sort': {
    sentence: "The cursor is bound to its collection's path, filter and sort (another one: 400): another sort.",
    needs: [...own, 'cursor'],
    run: async (context) => {
      const cursor = await cursorOf(context, 'limit=1&sort=name');
      expectStatus(await context.service.get(`/items?limit=1&sort=price&cursor=${encodeURIComponent(cursor)}`), 400);
    },
  },
  '4.cursor.other-filter': {
    sentence: "The cursor is bound to its collection's path, filter and sort (another one: 400): another filter.",
    needs: [...own, 'cursor'],
    run: async (context) => {
      const cursor = await cursorOf(context, 'limit=1');
      expectStatus(await context.service.get(`/items?limit=1&color=red&cursor=${encodeURIComponent(cursor)}`), 400);
    },
  },
  '4.cursor.other-limit': {
    sentence: '`limit` may change between pages.',
    needs: [...own, 'cursor'],
    run: async (context) => {
      const cursor = await cursorOf(context, 'limit=1');
      const page = await context.service.get(`/items?limit=2&cursor=${encodeURIComponent(cursor)}`);
      expectThat(page.status === 200 && rowsOf(page).length === 2, page, '2 items');
    },
  },
  '4.cursor.first-values': {
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
  '4.range.both': prices(
    '`<field>_min` and `<field>_max`, both inclusive; null lies in no range.',
    '10',
    '20',
    [10, 10.5, 20],
  ),
  '4.range.exact': prices(
    'Numbers have JSON’s grammar and are compared exactly, with any decimals.',
    '1.0001e1',
    '20.009',
    [10.5, 20],
  ),
  '4.range.empty': prices('`_min` above `_max`: 200 with no rows.', '20', '10', []),
});

function refused(sentence: string, query: string): Draft {
  return { sentence, run: async ({ service }) => expectStatus(await service.get(`/items?${query}`), 400) };
}

/** Checks the order of four items, created with the prices 5, null, 30 and 1. */
function ordered(sentence: string, sort: string | undefined, expected: readonly (number | null)[]): Draft {
  return {
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

function prices(sentence: string, min: string, max: string, expected: readonly number[]): Draft {
  return {
    sentence,
    needs: [...own, 'cursor', 'price'],
    run: async (context) => {
      const { color } = await rowsOfPrices(context, [20, 5, null, 10.5, 10, 30]);
      const query = { color, sort: 'price', price_min: min, price_max: max, limit: 2 };
      const { rows, pages } = await walkByCursor(context.service, query);
      const found = rows.map((row) => fieldsOf(row)['price']).join();
      const [first] = pages;
      if (first) expectThat(found === expected.join(), first, `prices ${expected.join()}`, `prices ${found}`);
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
