import { specified } from './specified.js';
import { expectStatus, expectThat, unmet } from '../expectations.js';
import { hasOffsetFields } from '../discovery/paging-styles.js';
import { idOf, idsOf, rowsOf } from '../pages/rows.js';
import { nextCursor } from '../pages/walk.js';
import { wholeList } from '../lists/whole-list.js';
import { fieldsOf } from '../service/exchange.js';

/** SPEC §4: lists, whatever their style. */
export const section4Lists = specified([
  {
    id: '4.list.status',
    sentence: 'GET `/items` answers 200.',
    needs: [],
    run: async ({ service }) => {
      expectStatus(await service.get('/items'), 200);
    },
  },
  {
    id: '4.list.items',
    sentence: 'GET `/items` answers 200 with a JSON object holding an `items` array.',
    needs: ['envelope'],
    run: async ({ service }) => {
      const list = await service.get('/items');
      expectThat(Array.isArray(fieldsOf(list.json)['items']), list, 'an object with an `items` array');
    },
  },
  {
    id: '4.list.paging-fields',
    sentence: 'GET `/items` answers with a JSON object holding an `items` array plus paging fields.',
    needs: ['envelope'],
    run: async (context) => {
      const { service, found } = context;
      if (found.has('offset') && service.words.naming.hasOwnEnvelope) return;
      if (found.has('items.write') && !found.has('offset') && !found.has('cursor')) {
        throw unmet(await service.get('/items'), '`page`, `per_page` and `total`, or `next_cursor`');
      }
      const list = await service.get('/items');
      // By cursor, the last page of all has none.
      const whole = found.has('cursor') && (nextCursor(list) !== undefined || rowsOf(list).length < 100);
      expectThat(hasOffsetFields(list) || whole, list, '`page`, `per_page` and `total`, or `next_cursor`');
    },
  },
  {
    id: '4.list.holds-items',
    sentence: 'GET `/items` lists the items: a new one is among them.',
    needs: ['items.write'],
    run: async (context) => {
      const { id } = await context.items.create();
      const { rows, pages } = await wholeList(context.service, context.found);
      const last = pages.at(-1);
      if (last)
        expectThat(
          rows.some((row) => idOf(row) === id),
          last,
          `the item ${id} in one of ${pages.length} pages`,
        );
    },
  },
  {
    id: '4.list.deleted',
    sentence: 'GET `/items` lists the items: a deleted one is no longer among them.',
    needs: ['items.write'],
    run: async (context) => {
      const item = await context.items.create();
      await context.items.delete(item);
      const { pages } = await wholeList(context.service, context.found);
      const shown = pages.find((page) => idsOf(page).includes(item.id));
      if (shown) throw unmet(shown, `no item ${item.id} any more`);
    },
  },
]);
