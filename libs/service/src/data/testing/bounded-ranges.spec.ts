import type { ListRequest } from '@items/paging';
import type { Database, SqlValue, ValueReader } from '../database/database.js';
import { Sqlite } from '../sqlite/sqlite.js';

import { CollectionReader } from '../collections/collection-reader.js';
import { sealOf } from '../lists/cursors.js';
import { RowStore } from '../writes/row-store.js';
import { Totals } from '../lists/totals.js';
import { unboundedSteps } from './bounded-plans.testing.js';
import { describeOnBothDatabases } from './database.testing.js';
import { withMethods } from './interleaved.testing.js';
import { type Item, itemCollection } from './item-collection.testing.js';
import { saveAllVersions } from './save-all-versions.testing.js';
import { addManyItems, itemAt } from './many-items.testing.js';
import { expectedList } from './oracle.testing.js';
import { unboundedNodes } from './postgres-plans.testing.js';
import { endOf, RANGED_LISTS, type RangedList } from './ranged-lists.testing.js';

const ROWS = 22_000;
const LIMIT = 20;
const LIMIT_MS = 600_000;

interface Answer {
  readonly ids: readonly string[];
  readonly cursor: string | undefined;
  readonly isSlow: boolean;
  readonly statements: readonly string[];
}

describeOnBothDatabases('SPEC §4.1: a page of a range costs no more than one without', (under) => {
  const state = Array.from({ length: ROWS }, (_, index) => itemAt(index));
  let reader: CollectionReader<Item>;
  let statements: string[];
  let isSlow: boolean;

  beforeAll(async () => {
    const { database } = under;
    await addManyItems(database, ROWS);
    await saveAllVersions(database);
    if (database.dialect === 'postgres') await database.query('ANALYZE items');
    const { columns } = itemCollection;
    const policy = { seals: [sealOf('a secret of this test')], ttlMs: 3_600_000 };
    reader = new CollectionReader(watched(database), itemCollection, columns, new Totals('items', []), policy);
  }, LIMIT_MS);

  /** Records the statements of the main thread. */
  function watched(database: Database): Database {
    const readValues = (sql: string, params?: readonly SqlValue[]): unknown => {
      statements.push(sql);
      return database.readValues(sql, params);
    };
    const readSlowly = (caller: string, work: (slow: ValueReader) => unknown): unknown => {
      isSlow = true;
      return database.readSlowly(caller, work);
    };
    return withMethods(database, { readValues, readSlowly });
  }

  /** Replaces a row without moving it, so that the walk must look for replaced rows. */
  async function changeDescription(): Promise<void> {
    const store = new RowStore(under.database, itemCollection, new Totals('items', []));
    await under.database.transaction(async (tx) => {
      const row = await store.lock(tx, state[0]?.id ?? '');
      if (row !== undefined) await store.update(tx, row, { description: 'changed' }, 'quiet');
    });
  }

  async function ask(request: ListRequest): Promise<Answer> {
    statements = [];
    isSlow = false;
    const { json } = await reader.list(request, '/items');
    const { items, next_cursor: cursor } = JSON.parse(String(json)) as { items: Item[]; next_cursor?: string };
    return { ids: items.map(({ id }) => id), cursor, isSlow, statements: [...new Set(statements)] };
  }

  /** Returns the statements that the page size does not bound. */
  async function faultsOf({ statements: asked }: Answer, list: RangedList): Promise<string[]> {
    const [filter] = Object.keys(list.filter);
    const end = endOf(list);
    const ofItems = asked.filter((sql) => / items(_versions)?\b/.test(sql));
    const { config } = under;
    if (config.dialect === 'postgres') {
      return (await Promise.all(ofItems.map((sql) => unboundedNodes(config.url, sql, { filter, end })))).flat();
    }
    const connection = new Sqlite(config.file, { readonly: true });
    const faults = ofItems.flatMap((sql) =>
      unboundedSteps(connection, sql, filter, end).map((step) => `${step} in ${sql}`),
    );
    connection.close();
    return faults;
  }

  it.each(RANGED_LISTS.map((list) => ({ name: nameOf(list), list })))(
    '$name',
    async ({ list }) => {
      // A key that the filter fixes does not affect the order.
      const free = list.sort.filter(({ field }) => list.filter[field]?.length !== 1);
      const sort = free.length > 0 ? free : [{ field: 'created_at', descending: false }];
      const expected = expectedList(state, { ...list, sort }).map(({ id }) => id);
      const begin: ListRequest = { style: 'cursor', limit: LIMIT, ...list };
      const first = await ask(begin);
      expect(first.ids).toEqual(expected.slice(0, LIMIT));
      const pages = [first];
      await changeDescription();
      if (first.cursor !== undefined) pages.push(await ask({ ...begin, cursor: first.cursor }));
      for (const page of pages) {
        expect(page.isSlow).toBe(list.sort.length > 1);
        expect(await faultsOf(page, list)).toEqual([]);
      }
      if (pages.length > 1) expect(pages[1]?.ids).toEqual(expected.slice(LIMIT, 2 * LIMIT));
    },
    LIMIT_MS,
  );
});

function nameOf({ sort, filter, range: { field, min, max, below } }: RangedList): string {
  const keys = sort.map((key) => `${key.descending ? '-' : ''}${key.field}`).join();
  const { length } = filter['color'] ?? [];
  return `sort=${keys}, ${field} from ${String(min)} to ${String(max ?? below)}, ${String(length)} colors`;
}
