import type { ItemsClient } from '@items/client';

import type { Collection } from '../document/model.js';
import { List, Lists } from './list.js';

const COLLECTION = {
  path: '/items',
  singular: 'item',
  sorts: [],
  filters: [],
  hasTotal: false,
} as unknown as Collection;

/** Has a page of two rows for each cursor; the third page fails. */
const page = jest.fn(({ cursor = '0' }: { readonly cursor?: string }) => {
  const items = [{ id: `${cursor}a` }, { id: `${cursor}b` }];
  if (cursor === '2') return Promise.reject(new Error('There are too many requests.'));
  return Promise.resolve({ items, next_cursor: String(Number(cursor) + 1) });
});
const client = { collection: () => ({ page }) } as unknown as ItemsClient;

describe('List', () => {
  it('shows the rows of each page when it arrives, and keeps them if a later page fails', async () => {
    const list = new List(client, COLLECTION, '/items', {});
    const shown: number[] = [];
    list.state.subscribe(({ rows }) => shown.push(rows.length));
    await list.load(1000);
    expect([...new Set(shown)]).toEqual([0, 2, 4]);
    expect(list.state.value).toMatchObject({ isLoading: false, error: { message: 'There are too many requests.' } });
    await list.load(3);
    expect(list.state.value.rows.map(({ id }) => id)).toEqual(['0a', '0b', '1a', '1b']);
  });
});

describe('Lists', () => {
  it('removes the least recently opened list', () => {
    const lists = new Lists(client);
    const open = (path: string): List => lists.open(COLLECTION, path, {});
    const [first, second] = [open('/items'), open('/1')];
    for (let index = 2; index < 30; index += 1) {
      open(`/${index}`);
      expect(open('/items')).toBe(first);
    }
    expect(open('/1')).not.toBe(second);
  });
});
