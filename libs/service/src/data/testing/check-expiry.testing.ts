import { ExpiredCursorError } from '@items/conventions';
import type { ListRequest } from '@items/paging';
import type { Database } from '../database/database.js';

import { itemCollection } from './item-collection.testing.js';
import { Pruner } from '../writes/pruner.js';
import { RowStore } from '../writes/row-store.js';
import { Totals } from '../lists/totals.js';
import { pagesOf } from './check-walks.testing.js';

/**
 * Reads the next page of a walk whose remaining rows have all moved before its cursor, after their versions were
 * pruned.
 * @returns Whether the walk gets the error that SPEC §4 requires.
 */
export async function emptyPageExpires(database: Database): Promise<boolean> {
  const store = new RowStore(database, itemCollection, new Totals('items', itemCollection.countedFilters));
  const color = `expiring ${String(Date.now())}`;
  for (const price of [10, 20, 30]) {
    await database.transaction((tx) => store.insert(tx, { name: 'n', description: null, color, price }));
  }
  const serve = pagesOf(database);
  const request: ListRequest = {
    style: 'cursor',
    limit: 1,
    sort: [{ field: 'price', descending: false }],
    filter: { color: [color] },
  };
  const { items, nextCursor } = await serve(request);
  const others = await database.query<{ id: string }>('SELECT id FROM items WHERE color = $1 AND id <> $2', [
    color,
    items[0]!.id,
  ]);
  for (const { id } of others) {
    await database.transaction(async (tx) => {
      const current = await store.lock(tx, id);
      await store.update(tx, current!, { price: 1 });
    });
  }
  await new Pruner(database, 'items', 0).prune();
  await new Pruner(database, 'items', 0).prune();
  try {
    await serve({ ...request, cursor: nextCursor! });
    return false;
  } catch (error) {
    if (error instanceof ExpiredCursorError) return true;
    throw error;
  }
}
