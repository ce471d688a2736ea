import { oversized } from './section-4-cursor.js';
import { type Draft, specified } from './specified.js';
import { expectThat, NotApplicable, unmet } from '../verdict.js';
import { manyRows } from '../discovery/paging-styles.js';
import { smallPageSize } from '../lists/whole-list.js';
import { rowsToWalk } from '../lists/quiet-tally.js';
import { wrongInSmallPages, walkQuietly } from '../lists/quiet-walks.js';
import { idOf, idsOf, rowsOf, walkByPage } from '../pages/walk.js';
import { type Exchange, fieldOf } from '../service/exchange.js';
import { type Service } from '../service/service.js';

const needs = ['items.write', 'offset'] as const;

export const section4Offset = specified(needs, {
  '4.offset.field-page': hasField('page'),
  '4.offset.field-per-page': hasField('per_page'),
  '4.offset.field-total': hasField('total'),
  '4.offset.page': {
    sentence: '`page` (offset paging, integer) is the page number.',
    run: async ({ service, items }) => {
      await items.createMany([{}, {}, {}, {}]);
      // Other clients may write, so a row may move from one page to the next.
      for (let attempt = 1; ; attempt++) {
        const first = await service.get('/items?page=1&per_page=2');
        const second = await service.get('/items?page=2&per_page=2');
        const page = fieldOf(second, 'page');
        expectThat(page === undefined || Number(page) === 2, second, '`page`: 2');
        const repeated = idsOf(second).filter((id) => idsOf(first).includes(id));
        if (repeated.length === 0 && rowsOf(second).length > 0) return;
        if (attempt === 3) throw unmet(second, `other items than on page 1 (${idsOf(first).join(', ')})`);
      }
    },
  },
  '4.offset.per-page': {
    sentence: '`per_page` (offset paging, integer) is the number of items per page.',
    run: async (context) => {
      const { service } = context;
      await manyRows(context);
      // The service chooses its maximum page size, so it may refuse more than two.
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
    needs: [...needs, 'envelope'],
    run: async ({ service, items, found }) => {
      for (let attempt = 1; ; attempt++) {
        const before = totalOf(await service.get('/items?page=1&per_page=2'));
        await items.createMany([{}, {}]);
        const list = await service.get('/items?page=1&per_page=2');
        const grown = totalOf(list) === before + 2;
        const { rows, pages, isComplete } = await walkByPage(service, {}, found.pageSizes.offset);
        if (!isComplete) throw new NotApplicable('the list is too long for a walk');
        // Another check judges rows on no page or on several.
        const page = pages.at(-1) ?? list;
        if (grown && (totalOf(page) !== totalOf(list) || rows.length === totalOf(list))) return;
        if (attempt < 3) continue;
        if (await changesByItself(service, found.pageSizes.offset))
          throw new NotApplicable('others write to it meanwhile');
        if (!grown) throw unmet(list, `\`total\`: ${before + 2}, two more than before`);
        throw unmet(page, `\`total\`: ${rows.length}, as many as all pages hold`, `\`total\`: ${totalOf(page)}`);
      }
    },
  },
  '4.offset.each-once': {
    sentence: 'Clients must page through lists: while nothing changes, all pages together hold each item once.',
    run: async (context) => {
      const own = await context.items.createMany(Array.from({ length: rowsToWalk }, () => ({})));
      const query = { style: 'offset', parameters: {}, size: await smallPageSize(context) } as const;
      const { lost, doubled, lastPage, pages } = await walkQuietly(context, own, query);
      const [wrong] = [...doubled, ...lost];
      const expected = 'each item on one page';
      const times = lost.length > 0 ? 'never' : 'twice or more';
      if (wrong && lastPage) throw unmet(lastPage, expected, `item ${wrong.id} ${times} on ${pages} pages`);
      // Rows of other clients may move from page to page while they write.
      for (let attempt = 1; ; attempt++) {
        const row = await wrongInSmallPages(context, 'offset', query.size);
        if (row === undefined) return;
        if (attempt === 3) throw unmet(row.lastPage, expected, `item ${row.id} ${row.times} on ${row.pages} pages`);
      }
    },
  },
});

function hasField(field: 'page' | 'per_page' | 'total'): Draft {
  return {
    sentence: `Offset paging answers with \`${field}\` (integer) beside \`items\` (array).`,
    needs: [...needs, 'envelope'],
    run: async ({ service }) => {
      const list = await service.get('/items?page=1&per_page=2');
      const value = fieldOf(list, field);
      if (value === undefined && field !== 'total' && service.words.naming.hasOwnEnvelope) {
        throw new NotApplicable(`the body has no \`${field}\` at its top`);
      }
      const came = value === undefined ? `no \`${field}\`` : `\`${field}\`: ${JSON.stringify(value)}`;
      expectThat(Number.isInteger(value), list, `an integer \`${field}\``, came);
    },
  };
}

/** This run writes nothing between the two walks. */
async function changesByItself(service: Service, pageSize: number): Promise<boolean> {
  const [one, other] = [await walkByPage(service, {}, pageSize), await walkByPage(service, {}, pageSize)];
  const [before, after] = [one, other].map(({ rows }) => rows.map(idOf).sort().join());
  return before !== after;
}

function totalOf(list: Exchange): number {
  return Number(fieldOf(list, 'total'));
}
