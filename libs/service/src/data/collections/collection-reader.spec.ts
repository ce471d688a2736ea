import type { ListFilter, SortKey } from '@items/paging';
import type { Database, RowValues, SqlValue } from '../database/database.js';

import { CollectionReader } from './collection-reader.js';
import { ALL_PARENTS, type ParentKeys } from '../definition/parent-keys.js';
import { itemCollection } from '../testing/item-collection.testing.js';
import { Totals } from '../lists/totals.js';

const byName: readonly SortKey[] = [{ field: 'name', descending: false }];
const byPrice: readonly SortKey[] = [{ field: 'price', descending: false }];

describe('The plan of a list', () => {
  const asked: { sql: string; params: readonly SqlValue[] }[] = [];
  const columns = [...itemCollection.columns];
  /** Called once for each plan. */
  const planned = jest.spyOn(columns, 'map');
  let reader: CollectionReader<never>;

  beforeEach(() => {
    asked.length = 0;
    planned.mockClear();
    const readValues = (sql: string, params: readonly SqlValue[]): RowValues[] => {
      if (sql.includes('LEFT JOIN')) return [[null]];
      if (!sql.includes('OFFSET')) return [[0]];
      asked.push({ sql, params });
      return [];
    };
    const readTransaction = (work: () => unknown): unknown => work();
    const database = { dialect: 'sqlite', readValues, readTransaction } as unknown as Database;
    const totals = new Totals('items', [...itemCollection.countedFilters, ['user_id'], ['user_id', 'color']]);
    reader = new CollectionReader(database, itemCollection as never, columns, totals, { seals: [], ttlMs: 1 });
  });

  const list = (filter: ListFilter, sort = byName, parent: ParentKeys = ALL_PARENTS, path = '/items'): void => {
    void reader.list({ style: 'offset', page: 1, perPage: 5, sort, filter }, path, parent);
  };

  it('is separate for each parent, path and sort, even with the same filter', () => {
    const filter: ListFilter = { color: ['red'] };
    list(filter, byName, { user_id: 'ada' });
    list(filter, byName, { user_id: 'bob' });
    list(filter, byName, {});
    list(filter, byPrice, {});
    list(filter, byPrice, {}, '/things');
    list(filter, byName, { user_id: 'ada' });

    expect(planned).toHaveBeenCalledTimes(5);
    expect(asked.map(({ params }) => ['ada', 'bob'].filter((user) => params.includes(user)))).toEqual([
      ['ada'],
      ['bob'],
      [],
      [],
      [],
      ['ada'],
    ]);
    expect(asked.map(({ sql }) => /ORDER BY (\w+)/.exec(sql)?.[1])).toEqual([
      'name',
      'name',
      'name',
      'price',
      'price',
      'name',
    ]);
  });

  it('lists only the members of its parent, for any filter', () => {
    list({ user_id: ['bob'] }, byName, { user_id: 'ada' });
    expect(asked[0]?.params).toContain('ada');
    expect(asked[0]?.params).not.toContain('bob');
  });

  it('is cached for a filter with few values, but not for many values, which make its statements long', () => {
    const few: ListFilter = { color: ['blue', 'red'] };
    const many: ListFilter = { color: ['a', 'b', 'c', 'd', 'e'] };
    list(few);
    list(few);
    expect(planned).toHaveBeenCalledTimes(1);
    list(many);
    list(many);
    expect(planned).toHaveBeenCalledTimes(3);
  });
});
