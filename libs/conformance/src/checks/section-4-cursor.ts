import type { Check } from '../check.js';
import type { CheckContext } from '../context.js';
import { expectThat, NotApplicable, unmet, Unmet } from '../verdict.js';
import { manyRows } from '../discovery/paging-styles.js';
import { smallPageSize } from '../lists/whole-list.js';
import { rowsToWalk } from '../lists/quiet-tally.js';
import { type QuietWalk, walkQuietly, wrongInSmallPages } from '../lists/quiet-walks.js';
import { idsOf, nextCursor, queryOf, rowsOf, type Style, walkByCursor } from '../pages/walk.js';
import { fieldOf, fieldsOf } from '../service/exchange.js';
import { specified } from './specified.js';

const needs = ['items.write', 'cursor'] as const;

export const section4Cursor: readonly Check[] = specified(needs, {
  '4.cursor.next-cursor': {
    sentence: 'Cursor paging answers with `next_cursor` (opaque string) beside `items` (array).',
    run: async ({ service, items }) => {
      await items.createMany([{}, {}, {}]);
      const page = await service.get('/items?limit=1');
      const next = fieldOf(page, 'next_cursor');
      const came = next === undefined ? 'no `next_cursor`' : `\`next_cursor\`: ${JSON.stringify(next)}`;
      expectThat(typeof next === 'string' && next !== '', page, 'a `next_cursor` that is a string', came);
    },
  },
  '4.cursor.limit': {
    sentence: '`limit` (cursor paging, integer) is the number of items per page.',
    run: async (context) => {
      const { service } = context;
      await manyRows(context);
      // The service chooses its maximum page size, so it may refuse more than two.
      for (const limit of [1, 2]) {
        const first = await service.get(`/items?limit=${limit}`);
        const cursor = nextCursor(first);
        const second = cursor === undefined ? [] : [await service.get(`/items${queryOf({ limit, cursor })}`)];
        for (const page of [first, ...second]) {
          expectThat(rowsOf(page).length <= limit, page, `at most ${limit} items`, `${rowsOf(page).length} items`);
        }
      }
    },
    observed: oversized('cursor'),
  },
  '4.cursor.position': {
    sentence: '`cursor` is a position token taken from the previous response: the next page starts there.',
    run: async ({ service, items }) => {
      await items.createMany([{}, {}, {}, {}]);
      const first = await service.get('/items?limit=2');
      const cursor = nextCursor(first);
      if (cursor === undefined) throw new NotApplicable('there is no next_cursor');
      const second = await service.get(`/items${queryOf({ limit: 2, cursor })}`);
      const seen = idsOf(first);
      const again = idsOf(second).filter((id) => seen.includes(id));
      const expected = `200 with other items than on the first page (${seen.join(', ')})`;
      expectThat(second.status === 200 && again.length === 0, second, expected);
    },
  },
  '4.cursor.ends': {
    sentence: 'The client repeats the request with `next_cursor` until it is absent: no `next_cursor` leads back.',
    run: async (context) => {
      await defaultWalk(context, 0);
      const fault = ledBack(context);
      if (fault !== undefined) throw fault;
    },
    observed: ledBack,
  },
  '4.cursor.absent-on-last': {
    sentence: '`next_cursor` is absent on the last page.',
    run: async ({ service, items, found }) => {
      await items.create();
      const { pages, isComplete } = await walkByCursor(service, { limit: found.pageSizes.cursor });
      const last = pages.at(-1);
      if (last === undefined || !isComplete) return;
      const came = `\`next_cursor\`: ${JSON.stringify(fieldOf(last, 'next_cursor'))}`;
      expectThat(!('next_cursor' in fieldsOf(last.json)), last, 'no `next_cursor`', came);
    },
  },
  '4.cursor.each-once': {
    sentence: 'The client repeats the request with `next_cursor` until it is absent, and has each item once.',
    run: async (context) => {
      for (const more of [0, 1]) {
        const { lost, doubled, lastPage, pages } = await defaultWalk(context, more);
        const [wrong] = [...doubled, ...lost];
        if (wrong === undefined || lastPage === undefined) continue;
        const times = lost.length > 0 ? 'never' : 'twice or more';
        throw unmet(lastPage, 'each item once', `item ${wrong.id} ${times} on ${pages} pages`);
      }
      const row = await wrongInSmallPages(context, 'cursor', await smallPageSize(context));
      if (row?.times === 'never') context.quiet.note(rowsToWalk - 1);
      if (row) throw unmet(row.lastPage, 'each item once', `item ${row.id} ${row.times} on ${row.pages} pages`);
    },
  },
});

function defaultWalk(context: CheckContext, more: number): Promise<QuietWalk> {
  return context.once(`default walk ${more}`, async () => {
    const own = await context.once('rows of default walks', () =>
      context.items.createMany(Array.from({ length: rowsToWalk }, () => ({}))),
    );
    const size = (await smallPageSize(context)) + more;
    return walkQuietly(context, own, { style: 'cursor', parameters: {}, size });
  });
}

function ledBack({ service }: CheckContext): Unmet | undefined {
  const [page] = service.ledBack;
  if (page === undefined) return undefined;
  const came = `\`next_cursor\`: ${JSON.stringify(nextCursor(page))}, which an earlier page had`;
  return new Unmet(page, 'a `next_cursor` that leads on, or none', came);
}

export function oversized(style: Style): (context: CheckContext) => Unmet | undefined {
  return ({ service }) => {
    const [page] = service.oversized[style];
    if (page === undefined) return undefined;
    const size = new URLSearchParams(page.ask.path.split('?')[1]).get(style === 'cursor' ? 'limit' : 'per_page');
    return new Unmet(page, `at most ${size ?? ''} items`, `${rowsOf(page).length} items`);
  };
}
