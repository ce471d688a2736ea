import type { ListFilter, SortKey } from '@items/paging';

import { describeOnBothDatabases } from '../testing/database.testing.js';
import { type Item, itemCollection } from '../testing/item-collection.testing.js';
import { CollectionReader } from '../collections/collection-reader.js';
import { RowStore } from '../writes/row-store.js';
import { expectedList, shown, type ItemRow } from '../testing/oracle.testing.js';
import { Totals } from './totals.js';

/** Deep pages exist on both sides of the middle. */
const ROWS = 2600;
const asc = (field: string): SortKey => ({ field, descending: false });
const desc = (field: string): SortKey => ({ field, descending: true });

const SORTS: SortKey[][] = [
  [],
  ...['name', 'color', 'price', 'created_at', 'updated_at'].flatMap((field) => [[asc(field)], [desc(field)]]),
  [asc('color'), desc('price')],
  [desc('price'), asc('name')],
  [desc('name'), asc('color'), desc('price')],
];
const FILTERS: ListFilter[] = [{}, { color: ['red'] }, { color: ['green'] }, { color: ['blue', 'red'] }];
const PAGES = [
  [1, 20],
  [7, 13],
  // The page on which the green rows without a price begin.
  [10, 50],
  [50, 20],
  [51, 20],
  [23, 50],
  [26, 100],
  [131, 10],
] as const;

describeOnBothDatabases('SPEC §4: pages in offset style', (under) => {
  let reader: CollectionReader<Item>;
  let state: ItemRow[];

  beforeAll(async () => {
    const { database } = under;
    const columns = itemCollection.columns;
    const totals = new Totals('items', itemCollection.countedFilters);
    const store = new RowStore(database, itemCollection, totals);
    for (let begin = 0; begin < ROWS; begin += 200) {
      await database.transaction(async (tx) => {
        for (let n = begin; n < begin + 200; n++) {
          const color = (['red', 'red', 'blue', 'green', null] as const)[n % 5] ?? null;
          const price = n % 11 === 0 ? null : (n * 7919) % (n % 2 === 0 ? 5 : 1000);
          await store.insert(tx, { name: `n${String((n * 31) % 700)}`, description: null, color, price });
        }
      });
    }
    reader = new CollectionReader(database, itemCollection, columns, totals, { seals: [], ttlMs: 1 });
    state = await database.query<ItemRow>(
      'SELECT id, created_at, updated_at, name, description, color, price FROM items',
    );
  });

  it.each(FILTERS)('are exact near, deep and at the end, in every order (%j)', async (filter) => {
    for (const sort of SORTS) {
      const expected = expectedList(state, { sort, filter });
      for (const [page, perPage] of PAGES) {
        const { body } = await reader.list({ style: 'offset', page, perPage, sort, filter }, '/items');
        const items = expected.slice((page - 1) * perPage, page * perPage).map(shown);
        expect({ sort, body }).toEqual({ sort, body: { items, page, per_page: perPage, total: expected.length } });
      }
    }
  });

  it('past the end are empty, with the true total', async () => {
    const { body } = await reader.list(
      { style: 'offset', page: Number.MAX_SAFE_INTEGER, perPage: 100, sort: [], filter: {} },
      '/items',
    );
    expect(body).toMatchObject({ items: [], total: ROWS });
  });
});
