import type { CursorPage, OffsetPage } from '@items/conventions';
import type { ListRequest } from '@items/paging';
import type { Database, SqlValue } from '../database/database.js';
import { Idempotency } from '../idempotency/idempotency.js';

import { describeOnBothDatabases } from '../testing/database.testing.js';
import { type Item, itemCollection } from '../testing/item-collection.testing.js';
import { CollectionService } from '../collections/collection-service.js';
import { sealOf } from './cursors.js';
import { withMethods } from '../testing/interleaved.testing.js';

describeOnBothDatabases('A walk', (under) => {
  it('lists every row once, in order, with nulls last', async () => {
    const items = new CollectionService(
      under.database,
      new Idempotency(under.database),
      { seals: [sealOf('a secret of this test')], ttlMs: 1e6 },
      itemCollection,
    );
    const prices = [null, 5, 3, null, 3, 10, 3, 1];
    for (const [index, price] of prices.entries()) {
      await under.database.transaction((tx) =>
        items.insert(tx, { name: `n${String(index)}`, description: null, color: index % 2 ? 'red' : null, price }),
      );
    }
    for (const [sort, expected] of [
      [[{ field: 'price', descending: false }], ['n7', 'n2', 'n4', 'n6', 'n1', 'n5', 'n0', 'n3']],
      [[{ field: 'price', descending: true }], ['n5', 'n1', 'n2', 'n4', 'n6', 'n7', 'n0', 'n3']],
      [
        [
          { field: 'color', descending: true },
          { field: 'price', descending: true },
        ],
        ['n5', 'n1', 'n7', 'n3', 'n2', 'n4', 'n6', 'n0'],
      ],
      [[], ['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7']],
    ] as const) {
      let cursor: string | undefined;
      const names: string[] = [];
      do {
        const request: ListRequest = { style: 'cursor', limit: 2, sort, filter: {}, ...(cursor && { cursor }) };
        const page = (await items.list(request, '/items')).body as CursorPage<'items', Item>;
        names.push(...page.items.map((item) => item.name));
        cursor = page.next_cursor;
      } while (cursor !== undefined);
      expect(names).toEqual(expected);
      const second: ListRequest = { style: 'offset', page: 2, perPage: 3, sort, filter: {} };
      const page = (await items.list(second, '/items')).body as OffsetPage<'items', Item>;
      expect(page.items.map((item) => item.name)).toEqual(expected.slice(3, 6));
      expect(page.total).toBe(8);
    }
    const filtered = await items.list(
      { style: 'offset', page: 1, perPage: 3, sort: [], filter: { color: ['red', 'blue'] } },
      '/items',
    );
    expect(filtered.body).toMatchObject({ total: 4 });
  });

  it('shows rows as they were, after a replacement between any two statements of a page', async () => {
    const { database } = under;
    const policy = { seals: [sealOf('a secret of this test')], ttlMs: 1e6 };
    const items = new CollectionService(database, new Idempotency(database), policy, itemCollection);
    const names = ['a', 'b', 'c', 'd'];
    const input = { description: null, color: 'snow', price: 1 };
    const made = await database.transaction(async (tx) => {
      const rows = [];
      for (const name of names) rows.push(await items.insert(tx, { ...input, name }));
      return rows;
    });
    const rename = async (suffix: string): Promise<void> => {
      for (const [index, { resource }] of made.entries()) {
        await items.replace(resource.id, { ...input, name: `${names[index] ?? ''}${suffix}` }, () => undefined);
      }
    };
    const list = async (from: Database, cursor?: string): Promise<CursorPage<'items', Item>> => {
      const service = new CollectionService(from, new Idempotency(from), policy, itemCollection);
      const sort = [{ field: 'name', descending: false }];
      const request: ListRequest = { style: 'cursor', limit: 2, sort, filter: { color: ['snow'] } };
      return (await service.list({ ...request, ...(cursor && { cursor }) }, '/items')).body as CursorPage<
        'items',
        Item
      >;
    };
    for (const replacedAfter of [1, 2, 3, 4, 5]) {
      await rename('');
      const first = await list(database);
      let statements = 0;
      const readValues = async (sql: string, params?: readonly SqlValue[]): Promise<unknown> => {
        const rows = await database.readValues(sql, params);
        if (++statements === replacedAfter) await rename('!');
        return rows;
      };
      const disturbed = withMethods(database, { readValues });
      const second = await list(disturbed, first.next_cursor);
      expect(second.items.map((item) => item.name)).toEqual(['c', 'd']);
    }
  });
});
