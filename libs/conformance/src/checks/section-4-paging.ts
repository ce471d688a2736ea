import { type Check, type CheckContext } from '../check.js';
import { expectThat, NotApplicable, Unmet } from '../verdict.js';
import { manyRows } from '../discovery/paging-styles.js';
import { smallPageSize } from '../lists/whole-list.js';
import { rowsToWalk } from '../lists/quiet-tally.js';
import { type QuietWalk, walkQuietly, wrongInSmallPages } from '../lists/quiet-walks.js';
import { idOf, idsOf, nextCursor, queryOf, rowsOf, type Style, walkByCursor, walkByPage } from '../pages/walk.js';
import { type Exchange, fieldOf, fieldsOf } from '../service/exchange.js';
import { type Service } from '../service/service.js';
import { type Draft, specified } from './specified.js';

const byNumber = ['items.write', 'offset'] as const;
const byCursor = ['items.write', 'cursor'] as const;

export const section4Offset = specified(byNumber, {
  '4.offset.field-page': hasField('page'),
  '4.offset.field-per-page': hasField('per_page'),
  '4.offset.field-total': hasField('total'),
  '4.offset.page': {
    sentence: '`page` (offset paging, integer) is the page number.',
    run: async ({ service, items }) => {
      await items.createMany(4);
      // Try three times, because writes of other clients may move a row to the next page.
      for (let attempt = 1; ; attempt++) {
        const first = await service.get('/items?page=1&per_page=2');
        const second = await service.get('/items?page=2&per_page=2');
        const page = fieldOf(second, 'page');
        expectThat(page === undefined || Number(page) === 2, second, '`page`: 2');
        const repeated = idsOf(second).filter((id) => idsOf(first).includes(id));
        if (repeated.length === 0 && rowsOf(second).length > 0) return;
        if (attempt === 3) throw new Unmet(second, `other items than on page 1 (${idsOf(first).join(', ')})`);
      }
    },
  },
  '4.offset.per-page': {
    sentence: '`per_page` (offset paging, integer) is the number of items per page.',
    run: async (context) => {
      const { service } = context;
      await manyRows(context);
      // Use small sizes, because the service chooses its maximum page size.
      for (const size of [1, 2]) {
        const list = await service.get(`/items?page=1&per_page=${size}`);
        const told = fieldOf(list, 'per_page');
        expectThat(rowsOf(list).length === size, list, `${size} items`, `${rowsOf(list).length} items`);
        expectThat(told === undefined || Number(told) === size, list, `\`per_page\`: ${size}`);
      }
    },
    observed: oversized('offset'),
  },
  '4.offset.total': {
    sentence: '`total` (integer) is the total number of items.',
    needs: [...byNumber, 'envelope'],
    run: async ({ service, items, found }) => {
      for (let attempt = 1; ; attempt++) {
        const before = totalOf(await service.get('/items?page=1&per_page=2'));
        await items.createMany(2);
        const list = await service.get('/items?page=1&per_page=2');
        const grown = totalOf(list) === before + 2;
        const { rows, pages, isComplete } = await walkByPage(service, {}, found.pageSizes.offset);
        if (!isComplete) throw new NotApplicable('the list is too long for a walk');
        // Compares only counts: another check judges rows that are on no page or on several pages.
        const page = pages.at(-1) ?? list;
        if (grown && (totalOf(page) !== totalOf(list) || rows.length === totalOf(list))) return;
        if (attempt < 3) continue;
        if (await isChangedByOthers(service, found.pageSizes.offset))
          throw new NotApplicable('others write to it meanwhile');
        if (!grown) throw new Unmet(list, `\`total\`: ${before + 2}, two more than before`);
        throw new Unmet(page, `\`total\`: ${rows.length}, as many as all pages hold`, `\`total\`: ${totalOf(page)}`);
      }
    },
  },
  '4.offset.each-once': {
    sentence: 'Clients must page through lists: while nothing changes, all pages together hold each item once.',
    run: async (context) => {
      const own = await context.items.createMany(rowsToWalk);
      const query = { style: 'offset', parameters: {}, size: await smallPageSize(context) } as const;
      const { lost, doubled, lastPage, pages } = await walkQuietly(context, own, query);
      const [wrong] = [...doubled, ...lost];
      const expected = 'each item on one page';
      const times = lost.length > 0 ? 'never' : 'twice or more';
      if (wrong && lastPage) throw new Unmet(lastPage, expected, `item ${wrong.id} ${times} on ${pages} pages`);
      // Try three times, because writes of other clients may move a row to another page.
      for (let attempt = 1; ; attempt++) {
        const row = await wrongInSmallPages(context, 'offset', query.size);
        if (row === undefined) return;
        if (attempt === 3) throw new Unmet(row.lastPage, expected, `item ${row.id} ${row.times} on ${row.pages} pages`);
      }
    },
  },
});

function hasField(field: 'page' | 'per_page' | 'total'): Draft {
  return {
    sentence: `Offset paging answers with \`${field}\` (integer) beside \`items\` (array).`,
    needs: [...byNumber, 'envelope'],
    run: async ({ service }) => {
      const list = await service.get('/items?page=1&per_page=2');
      const value = fieldOf(list, field);
      if (value === undefined && field !== 'total' && service.translation.naming.hasOwnEnvelope) {
        throw new NotApplicable(`the body has no \`${field}\` at its top`);
      }
      const actual = value === undefined ? `no \`${field}\`` : `\`${field}\`: ${JSON.stringify(value)}`;
      expectThat(Number.isInteger(value), list, `an integer \`${field}\``, actual);
    },
  };
}

/** Compares two walks without writes of this run between them. */
async function isChangedByOthers(service: Service, pageSize: number): Promise<boolean> {
  const [one, other] = [await walkByPage(service, {}, pageSize), await walkByPage(service, {}, pageSize)];
  const [before, after] = [one, other].map(({ rows }) => rows.map(idOf).sort().join());
  return before !== after;
}

function totalOf(list: Exchange): number {
  return Number(fieldOf(list, 'total'));
}

export const section4Cursor: readonly Check[] = specified(byCursor, {
  '4.cursor.next-cursor': {
    sentence: 'Cursor paging answers with `next_cursor` (opaque string) beside `items` (array).',
    run: async ({ service, items }) => {
      await items.createMany(3);
      const page = await service.get('/items?limit=1');
      const next = fieldOf(page, 'next_cursor');
      const actual = next === undefined ? 'no `next_cursor`' : `\`next_cursor\`: ${JSON.stringify(next)}`;
      expectThat(typeof next === 'string' && next !== '', page, 'a `next_cursor` that is a string', actual);
    },
  },
  '4.cursor.limit': {
    sentence: '`limit` (cursor paging, integer) is the number of items per page.',
    run: async (context) => {
      const { service } = context;
      await manyRows(context);
      // Use small sizes, because the service chooses its maximum page size.
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
      await items.createMany(4);
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
      const fault = endlessPageFault(context);
      if (fault !== undefined) throw fault;
    },
    observed: endlessPageFault,
  },
  '4.cursor.absent-on-last': {
    sentence: '`next_cursor` is absent on the last page.',
    run: async ({ service, items, found }) => {
      await items.create();
      const { pages, isComplete } = await walkByCursor(service, { limit: found.pageSizes.cursor });
      const last = pages.at(-1);
      if (last === undefined || !isComplete) return;
      const actual = `\`next_cursor\`: ${JSON.stringify(fieldOf(last, 'next_cursor'))}`;
      expectThat(!('next_cursor' in fieldsOf(last.json)), last, 'no `next_cursor`', actual);
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
        throw new Unmet(lastPage, 'each item once', `item ${wrong.id} ${times} on ${pages} pages`);
      }
      const row = await wrongInSmallPages(context, 'cursor', await smallPageSize(context));
      if (row?.times === 'never') context.quiet.note(rowsToWalk - 1);
      if (row) throw new Unmet(row.lastPage, 'each item once', `item ${row.id} ${row.times} on ${row.pages} pages`);
    },
  },
});

function defaultWalk(context: CheckContext, more: number): Promise<QuietWalk> {
  return context.once(`default walk ${more}`, async () => {
    const own = await context.once('rows of default walks', () => context.items.createMany(rowsToWalk));
    const size = (await smallPageSize(context)) + more;
    return walkQuietly(context, own, { style: 'cursor', parameters: {}, size });
  });
}

function endlessPageFault({ service }: CheckContext): Unmet | undefined {
  const [page] = service.endlessPages;
  if (page === undefined) return undefined;
  const actual = `\`next_cursor\`: ${JSON.stringify(nextCursor(page))}, which an earlier page had`;
  return new Unmet(page, 'a `next_cursor` that leads on, or none', actual);
}

function oversized(style: Style): (context: CheckContext) => Unmet | undefined {
  return ({ service }) => {
    const [page] = service.oversized[style];
    if (page === undefined) return undefined;
    const size = new URLSearchParams(page.request.path.split('?')[1]).get(style === 'cursor' ? 'limit' : 'per_page');
    return new Unmet(page, `at most ${size ?? ''} items`, `${rowsOf(page).length} items`);
  };
}
