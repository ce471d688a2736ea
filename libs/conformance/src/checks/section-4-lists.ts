import { ofItem, specified } from './specified.js';
import { expectJson, expectStatus, expectThat, NotApplicable, Unmet } from '../verdict.js';
import { hasOffsetFields } from '../discovery/paging-styles.js';
import { idsOf, nextCursor, rowsOf, timesOf } from '../pages/walk.js';
import { wholeList } from '../lists/whole-list.js';
import { fieldOf, fieldsOf } from '../service/exchange.js';

export const section4Lists = specified(['items.write'], {
  '4.list.status': {
    sentence: 'GET `/items` answers 200.',
    needs: [],
    run: async ({ service }) => expectStatus(await service.get('/items'), 200),
  },
  '4.list.items': {
    sentence: 'GET `/items` answers 200 with a JSON object holding an `items` array.',
    needs: ['envelope'],
    run: async ({ service }) => {
      const list = await service.get('/items');
      expectJson(list);
      expectThat(Array.isArray(fieldOf(list, 'items')), list, 'an object with an `items` array');
    },
  },
  '4.list.paging-fields': {
    sentence: 'GET `/items` answers with a JSON object holding an `items` array plus paging fields.',
    needs: ['envelope'],
    run: async (context) => {
      const { service, found } = context;
      if (found.has('offset') && service.translation.naming.hasOwnEnvelope) return;
      if (found.has('items.write') && !found.has('offset') && !found.has('cursor')) {
        throw new Unmet(await service.get('/items'), '`page`, `per_page` and `total`, or `next_cursor`');
      }
      const list = await service.get('/items');
      // A list of fewer than 100 rows may be complete; then it has no cursor.
      const whole = found.has('cursor') && (nextCursor(list) !== undefined || rowsOf(list).length < 100);
      expectThat(hasOffsetFields(list) || whole, list, '`page`, `per_page` and `total`, or `next_cursor`');
    },
  },
  '4.list.holds-items': ofItem(
    'GET `/items` lists the items: a new one is among them.',
    async ({ id }, { service, found }) => {
      const walk = await wholeList(service, found);
      const last = walk.pages.at(-1);
      const isListed = timesOf(walk, id) > 0;
      if (!isListed && !walk.isComplete) throw new NotApplicable('only the first rows of the list are known');
      if (last) expectThat(isListed, last, `the item ${id} in one of ${walk.pages.length} pages`);
    },
  ),
  '4.list.deleted': ofItem(
    'GET `/items` lists the items: a deleted one is no longer among them.',
    async (item, { items, service, found }) => {
      await items.delete(item);
      const { pages } = await wholeList(service, found);
      const shown = pages.find((page) => idsOf(page).includes(item.id));
      if (shown) throw new Unmet(shown, `no item ${item.id} any more`);
    },
  ),
  '4.list.replaced': {
    sentence: 'GET `/items` lists the items: a replaced one as it is now.',
    needs: ['items.write', 'name.text'],
    run: async (context) => {
      const { items, service, found, word } = context;
      const item = await items.create();
      const name = word('replaced');
      if ((await items.replace(item, { name })).status >= 300) throw new NotApplicable('a replacement is refused');
      const { pages } = await wholeList(service, found);
      const page = pages.find((one) => idsOf(one).includes(item.id));
      const shown = fieldsOf(page === undefined ? undefined : rowsOf(page)[idsOf(page).indexOf(item.id)])['name'];
      if (page === undefined || shown === undefined) throw new NotApplicable('the list does not show the name');
      expectThat(shown === name, page, `the item ${item.id} named ${name}`, `\`name\`: ${JSON.stringify(shown)}`);
    },
  },
});
