import type { Database, Queryable } from '../database/database.js';
import { recount } from './recount.js';

/** More than a call of a function can have as arguments. */
const OWNERS = 200_000;

describe('recount', () => {
  it('returns the wrong totals of 200 000 owners', async () => {
    const groups = Array.from({ length: OWNERS }, (_, owner) => ({ kind: 'rows', grp: `["user-${owner}"]`, n: 1 }));
    const reader = {
      query: async (text: string) => {
        if (text.startsWith('SELECT value')) return [];
        return text.startsWith("SELECT 'rows'") ? groups : [{ rows: OWNERS, counted: 0 }];
      },
    } as unknown as Queryable;
    const database = { dialect: 'sqlite', transaction: async () => true } as unknown as Database;
    const wrong = await recount(reader, database, { name: 'orders', countedFilters: [['user_id']] });
    expect(wrong).toHaveLength(1 + OWNERS);
  });
});
