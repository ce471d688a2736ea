import { setTimeout as sleep } from 'node:timers/promises';

import { ExpiredCursorError } from '@items/errors';
import type { ListRequest } from '@items/paging';
import { Logger } from '@nestjs/common';

import { describeOnBothDatabases } from '../database/database.testing.js';
import { itemCollection } from '../items/item.collection.js';
import type { ItemEntity } from '../items/item.entity.js';
import { BackgroundPruning } from './background-pruning.js';
import { RowStore } from './row-store.js';
import { pagesOf } from './testing/check-walks.testing.js';
import { Totals } from './totals.js';

const TTL_MS = 500;
const RETENTION_MS = 2 * TTL_MS;
const first: ListRequest = { style: 'cursor', limit: 1, sort: [{ field: 'price', descending: false }], filter: {} };

describeOnBothDatabases('Pruning in the background', (under) => {
  let pruning: BackgroundPruning;
  let items: RowStore<ItemEntity>;
  let ids: string[];

  beforeEach(async () => {
    const { database } = under;
    const columns = database.columnsOf(itemCollection.entity);
    items = new RowStore(database, 'items', columns, new Totals('items', itemCollection.counted));
    pruning = new BackgroundPruning(database, { cursorTtlMs: TTL_MS });
    pruning.onModuleInit();
    ids = [];
    for (const price of [10, 20, 30]) ids.push(await insert(price));
  });

  afterEach(async () => {
    await pruning.beforeApplicationShutdown();
    await under.database.transaction(async (tx) => {
      for (const id of ids) await items.remove(tx, (await items.lock(tx, id))!);
    });
  });

  async function insert(price: number): Promise<string> {
    const own = { name: 'n', description: null, color: 'red', price };
    return (await under.database.transaction((tx) => items.insert(tx, own))).id;
  }

  async function change(id: string | undefined, own: Partial<ItemEntity>): Promise<void> {
    await under.database.transaction(async (tx) => items.update(tx, (await items.lock(tx, id!))!, own));
  }

  async function count(sql: string): Promise<number> {
    const [row] = await under.database.query<{ n: number | string }>(`SELECT count(*) AS n FROM ${sql}`);
    return Number(row?.n);
  }

  async function eventually(check: () => Promise<boolean>): Promise<void> {
    const until = Date.now() + 10 * RETENTION_MS;
    while (!(await check())) {
      if (Date.now() > until) throw new Error('It did not happen in time.');
      await sleep(50);
    }
  }

  it('lets a walk go on as long as versions are kept, whatever changes', async () => {
    const serve = pagesOf(under.database);
    const begunAt = Date.now();
    let { nextCursor } = await serve(first);
    await change(ids[1], { price: 1 });
    await change(ids[2], { price: 2 });
    const found: (number | null)[] = [];
    while (nextCursor !== undefined) {
      await sleep(RETENTION_MS / 3);
      const page = await serve({ ...first, cursor: nextCursor });
      found.push(...page.items.map((item) => item.price));
      nextCursor = page.nextCursor;
    }
    expect(Date.now() - begunAt).toBeLessThan(RETENTION_MS);
    expect(found).toEqual([0.2, 0.3]);
  });

  it('removes old versions and counters that are zero', async () => {
    for (const id of ids) await change(id, { color: 'blue' });
    expect(await count('items_versions')).toBeGreaterThanOrEqual(3);
    await eventually(async () => (await count('items_versions')) === 0);
    await eventually(async () => (await count('collection_counts WHERE n = 0')) === 0);
    expect(await count("items WHERE color = 'blue'")).toBe(3);
  });

  it('ends a walk that is too old with an error, also where its next page would be empty', async () => {
    const serve = pagesOf(under.database);
    const { nextCursor } = await serve(first);
    await change(ids[1], { price: 1 });
    await change(ids[2], { price: 2 });
    await eventually(async () => (await count('items_versions')) === 0);
    await expect(serve({ ...first, cursor: nextCursor! })).rejects.toThrow(ExpiredCursorError);
  });

  it('stops with the service, and outlives a database that fails', async () => {
    const failing = new BackgroundPruning(
      Object.assign(Object.create(under.database) as typeof under.database, {
        query: () => Promise.reject(new Error('down')),
      }),
      { cursorTtlMs: 1 },
    );
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    failing.onModuleInit();
    await sleep(300);
    await failing.beforeApplicationShutdown();
    expect(warned.mock.calls.length).toBeGreaterThan(1);
    warned.mockRestore();
  });
});
