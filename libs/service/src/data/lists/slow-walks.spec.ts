import type { ListRequest } from '@items/paging';
import type { ValueReader } from '../database/database.js';

import { CollectionReader } from '../collections/collection-reader.js';
import { sealOf } from './cursors.js';
import { RowStore } from '../writes/row-store.js';
import { describeOnBothDatabases } from '../testing/database.testing.js';
import { withMethods } from '../testing/interleaved.testing.js';
import { type Item, itemCollection } from '../testing/item-collection.testing.js';
import { saveAllVersions } from '../testing/save-all-versions.testing.js';
import { Totals } from './totals.js';
import { MAX_VERSIONS_ON_MAIN_THREAD } from './walk.js';

const ADDED = 3000;
/** Changes per transaction, which may last 4.5 s. */
const BATCH = 50;

describeOnBothDatabases('SPEC §4: a walk with so many changed rows that it is read in the background', (under) => {
  let store: RowStore;
  let reader: CollectionReader<Item>;
  let slowReads: number;

  beforeAll(() => {
    const { database } = under;
    const { columns } = itemCollection;
    const totals = new Totals('items', itemCollection.countedFilters);
    store = new RowStore(database, itemCollection, totals);
    const readSlowly = (caller: string, work: (slow: ValueReader) => unknown): unknown => {
      slowReads += 1;
      return database.readSlowly(caller, work);
    };
    const policy = { seals: [sealOf('a secret of this test')], ttlMs: 3_600_000 };
    reader = new CollectionReader(withMethods(database, { readSlowly }), itemCollection, columns, totals, policy);
  });
  beforeEach(() => {
    slowReads = 0;
  });

  const own = (name: string): { name: string; description: null; color: string; price: number } => ({
    ...{ name, description: null, color: 'red', price: 100 },
  });

  async function add(...names: readonly string[]): Promise<void> {
    for (let from = 0; from < names.length; from += BATCH) {
      const rows = names.slice(from, from + BATCH).map((name) => ({ own: own(name) }));
      await under.database.transaction((tx) => store.insertAll(tx, rows));
    }
  }

  function replaceOften(name: string, from: number): Promise<void> {
    return under.database.transaction(async (tx) => {
      const [found] = await tx.query<{ id: string }>('SELECT id FROM items WHERE name = $1', [name]);
      for (let price = from; price < from + BATCH; price += 1) {
        const current = await store.lock(tx, found?.id ?? '');
        if (current !== undefined) await store.update(tx, current, { price });
      }
    });
  }

  async function page(request: ListRequest): Promise<{ names: string[]; cursor: string }> {
    const body = (await reader.list(request, '/items')).body as unknown as { items: Item[]; next_cursor: string };
    return { names: body.items.map(({ name }) => name), cursor: body.next_cursor };
  }

  async function walkAmong(prefix: string, descending: boolean, change: () => Promise<unknown>): Promise<string[]> {
    const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `${prefix} ${letter}`);
    await add(...all);
    const filter = { color: ['red'] };
    const request: ListRequest = { style: 'cursor', limit: 2, sort: [{ field: 'name', descending }], filter };
    const names: string[] = [];
    let next = await page(request);
    names.push(...next.names);
    await change();
    while (names.length < 6) {
      next = await page({ ...request, cursor: next.cursor });
      names.push(...next.names);
    }
    expect(names.slice(0, 6)).toEqual(descending ? all.toReversed() : all);
    return names;
  }

  it.each([false, true])('omits rows that were added after its start, descending: %s', async (descending) => {
    const prefix = descending ? 'z' : '0';
    await walkAmong(prefix, descending, () =>
      add(...Array.from({ length: ADDED }, (_, index) => `${prefix} c${String(index)}`)),
    );
    expect(slowReads).toBeGreaterThan(0);
  });

  it.each([false, true])(
    'omits later versions of rows that were replaced many times, descending: %s',
    async (descending) => {
      const prefix = descending ? 'zz' : '!';
      await walkAmong(prefix, descending, async () => {
        await saveAllVersions(under.database);
        for (let times = 0; times <= MAX_VERSIONS_ON_MAIN_THREAD; times += BATCH)
          await replaceOften(`${prefix} d`, times);
      });
      expect(slowReads > 0).toBe(under.database.dialect === 'sqlite');
    },
  );
});
