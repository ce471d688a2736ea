import { ServiceUnavailableError, ExpiredCursorError } from '@items/conventions';
import type { ListRequest } from '@items/paging';
import type { Database, Transaction } from '../database/database.js';

import { RowStore } from '../writes/row-store.js';
import { pagesOf } from '../testing/check-walks.testing.js';
import { describeOnBothDatabases, openItems } from '../testing/database.testing.js';
import { withMethods } from '../testing/interleaved.testing.js';
import { itemCollection } from '../testing/item-collection.testing.js';
import { Totals } from './totals.js';

const first = {
  style: 'cursor',
  limit: 1,
  sort: [{ field: 'price', descending: false }],
  filter: {},
} as const satisfies ListRequest;

type Work = (tx: Transaction) => Promise<unknown>;

describeOnBothDatabases('Versions', (under) => {
  const others: Database[] = [];
  let ids: string[];

  beforeEach(async () => {
    const { database } = under;
    await database.transaction(async (tx) => {
      for (const table of ['items', 'items_versions']) await tx.query(`DELETE FROM ${table}`);
    });
    await announcedUntil(0);
    ids = [];
    for (const price of [10, 20, 30]) {
      const own = { name: 'n', description: null, color: 'red', price };
      ids.push((await database.transaction((tx) => storeOf(database).insert(tx, own))).id);
    }
  });
  afterAll(() => Promise.all(others.map((database) => database.close())));

  function storeOf(database: Database): RowStore {
    const totals = new Totals('items', itemCollection.countedFilters);
    return new RowStore(database, itemCollection, totals);
  }

  async function announcedUntil(seq: number): Promise<void> {
    if (!isSqlite()) return;
    await under.database.transaction((tx) => tx.query('UPDATE collection_lanes SET walks_until = $1', [seq]));
  }

  async function reprice(price: number, database = under.database): Promise<void> {
    const store = storeOf(database);
    for (const id of ids)
      await database.transaction(async (tx) => store.update(tx, (await store.lock(tx, id))!, { price }));
  }

  async function opened(): Promise<Database> {
    const database = await openItems(under.config);
    others.push(database);
    return database;
  }

  async function versions(): Promise<number> {
    return (await under.database.query('SELECT 1 FROM items_versions')).length;
  }

  async function pricesBehind(cursor: string | undefined, database = under.database): Promise<(number | null)[]> {
    const { items } = await pagesOf(database)({ ...first, cursor: cursor!, limit: 10 });
    return items.map(({ price }) => price);
  }

  const isSqlite = (): boolean => under.database.dialect === 'sqlite';

  it('are saved of rows that a walk may need; on SQLite, of no others', async () => {
    await reprice(1);
    expect(await versions()).toBe(isSqlite() ? 0 : 3);
    // A client that has all rows does not continue the walk.
    await pagesOf(under.database)({ ...first, limit: 3 });
    await reprice(2);
    expect(await versions()).toBe(isSqlite() ? 0 : 6);
    const { nextCursor } = await pagesOf(under.database)(first);
    await reprice(3);
    expect(await versions()).toBe(isSqlite() ? 3 : 9);
    expect(await pricesBehind(nextCursor)).toEqual([0.02, 0.02]);
  });

  it('are saved by a process that did not serve the first page', async () => {
    const other = await opened();
    await reprice(1);
    await reprice(2, other);
    const { nextCursor } = await pagesOf(under.database)(first);
    await reprice(3, other);
    await reprice(4);
    expect(await pricesBehind(nextCursor)).toEqual([0.02, 0.02]);
    expect(await pricesBehind(nextCursor, other)).toEqual([0.02, 0.02]);
  });

  it('are saved for walks whose announcement was undone by a loss of power or a backup', async () => {
    await reprice(1);
    const [lanes] = await under.database.query<{ walks_until?: number }>('SELECT * FROM collection_lanes');
    const { nextCursor } = await pagesOf(under.database)(first);
    await announcedUntil(lanes?.walks_until ?? 0);
    const restarted = await opened();
    await reprice(2, restarted);
    expect(await pricesBehind(nextCursor, restarted)).toEqual([0.01, 0.01]);
  });

  it('are saved after one announcement for all walks that begin concurrently', async () => {
    let announced = 0;
    const counting = withMethods(under.database, {
      relaxedTransaction: (work: Work) => {
        announced += 1;
        return under.database.relaxedTransaction(work);
      },
    });
    await reprice(1);
    const serve = pagesOf(counting);
    const begun = await Promise.all([first, first, { ...first, limit: 2 }].map(serve));
    expect(announced).toBe(isSqlite() ? 1 : 0);
    await reprice(2);
    expect(await Promise.all(begun.map(({ nextCursor }) => pricesBehind(nextCursor)))).toEqual([
      [0.01, 0.01],
      [0.01, 0.01],
      [0.01],
    ]);
  });

  it('are saved for a walk that begins after the last lease, before it has read again', async () => {
    let aheadMs = 0;
    const now = Date.now.bind(Date);
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
    let announced = 0;
    const slow = withMethods(under.database, {
      relaxedTransaction: async (work: Work) => {
        if ((announced += 1) > 20) throw new Error('It is announced again and again.');
        await under.database.relaxedTransaction(work);
        aheadMs += 1000;
        await reprice(announced);
      },
    });
    try {
      const { nextCursor } = await pagesOf(slow)(first);
      const price = announced / 100;
      await reprice(99);
      expect(await pricesBehind(nextCursor)).toEqual(isSqlite() ? [price, price] : [0.2, 0.3]);
    } finally {
      clock.mockRestore();
    }
  });

  it('are not needed by a walk that could not be announced: the next write expires its cursor on SQLite', async () => {
    const refuse = (): Promise<never> => Promise.reject(new ServiceUnavailableError('full', 'Nothing can be written.'));
    const full = withMethods(under.database, { transaction: refuse, relaxedTransaction: refuse });
    const { nextCursor } = await pagesOf(full)(first);
    expect(await pricesBehind(nextCursor, full)).toEqual([0.2, 0.3]);
    await reprice(1);
    const later = pricesBehind(nextCursor);
    if (isSqlite()) await expect(later).rejects.toThrow(ExpiredCursorError);
    else expect(await later).toEqual([0.2, 0.3]);
  });
});
