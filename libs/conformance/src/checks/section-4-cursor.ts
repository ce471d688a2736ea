import { specified } from './specified.js';
import { expectThat, unmet } from '../expectations.js';
import { idOf, rowsOf } from '../pages/rows.js';
import { nextCursor, walkByCursor } from '../pages/walk.js';
import { fieldsOf } from '../service/exchange.js';
import { NotApplicable } from '../verdict.js';

const needs = ['items.write', 'cursor'] as const;

/** SPEC §4: cursor paging while nothing changes. */
export const section4Cursor = specified([
  {
    id: '4.cursor.next-cursor',
    sentence: 'Cursor paging answers with `next_cursor` (opaque string) beside `items` (array).',
    needs,
    run: async ({ service, items }) => {
      await items.createMany([{}, {}, {}]);
      const page = await service.get('/items?limit=1');
      const { next_cursor: next } = fieldsOf(page.json);
      const came = next === undefined ? 'no `next_cursor`' : `\`next_cursor\`: ${JSON.stringify(next)}`;
      expectThat(typeof next === 'string' && next !== '', page, 'a `next_cursor` that is a string', came);
    },
  },
  {
    id: '4.cursor.limit',
    sentence: '`limit` (cursor paging, integer) is the number of items per page.',
    needs,
    run: async ({ service, items }) => {
      await items.createMany([{}, {}, {}, {}]);
      // The largest page is the service's choice, so that more than two may be refused.
      for (const limit of [1, 2]) {
        const page = await service.get(`/items?limit=${limit}`);
        const cursor = nextCursor(page);
        const pages = [page];
        if (cursor !== undefined) {
          pages.push(await service.get(`/items?limit=${limit}&cursor=${encodeURIComponent(cursor)}`));
        }
        for (const each of pages) {
          expectThat(rowsOf(each).length === limit, each, `${limit} items`, `${rowsOf(each).length} items`);
        }
      }
    },
  },
  {
    id: '4.cursor.position',
    sentence: '`cursor` is a position token taken from the previous response: the next page starts there.',
    needs,
    run: async ({ service, items }) => {
      await items.createMany([{}, {}, {}, {}]);
      const first = await service.get('/items?limit=2');
      const cursor = nextCursor(first);
      if (cursor === undefined) throw new NotApplicable('there is no next_cursor');
      const second = await service.get(`/items?limit=2&cursor=${encodeURIComponent(cursor)}`);
      const seen = rowsOf(first).map(idOf);
      const again = rowsOf(second).filter((row) => seen.includes(idOf(row)));
      const expected = `200 with other items than on the first page (${seen.join(', ')})`;
      expectThat(second.status === 200 && rowsOf(second).length > 0 && again.length === 0, second, expected);
    },
  },
  {
    id: '4.cursor.absent-on-last',
    sentence: '`next_cursor` is absent on the last page.',
    needs,
    run: async ({ service, items, found }) => {
      await items.create();
      const { pages } = await walkByCursor(service, { limit: found.limitSize });
      const last = pages.at(-1);
      if (last === undefined) return;
      const { next_cursor: next } = fieldsOf(last.json);
      expectThat(
        !('next_cursor' in fieldsOf(last.json)),
        last,
        'no `next_cursor`',
        `\`next_cursor\`: ${JSON.stringify(next)}`,
      );
    },
  },
  {
    id: '4.cursor.each-once',
    sentence: 'The client repeats the request with `next_cursor` until it is absent, and has each item once.',
    needs,
    run: async ({ service, items, found }) => {
      const own = await items.createMany([{}, {}, {}, {}, {}]);
      const { rows } = await walkByCursor(service, { limit: found.limitSize });
      const { rows: slowly, pages } = await walkByCursor(service, { limit: rows.length < 90 ? 3 : found.limitSize });
      for (const { id } of own) {
        const times = slowly.filter((row) => idOf(row) === id).length;
        const last = pages.at(-1);
        if (times !== 1 && last)
          throw unmet(last, 'each item once', `item ${id} ${times} times on ${pages.length} pages`);
      }
    },
  },
]);
