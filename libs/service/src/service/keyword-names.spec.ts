import { Filterable, Integer, Optional, Sortable, Text } from '@items/fields';
import { onBothDatabases } from '@items/testing';

import { Database } from '../data/database/database.js';
import { quoted, sqlName } from '../data/schema/quoted.js';
import type { MissingMigrationError } from './collections/missing-migration.js';
import { collection, type Migration } from '../index.js';
import { type StartedService, StartedServices } from './started-services.testing.js';

class Former {
  @Sortable() @Text({ max: 50 }) order!: string;
  @Filterable() @Text({ max: 50 }) user!: string;
  @Sortable() @Integer({ min: 0, max: 999 }) desc!: number;
  @Text({ max: 20 }) select!: string;
}
class Input {
  @Sortable() @Text({ max: 50 }) order!: string;
  @Filterable() @Text({ max: 50 }) user!: string;
  @Sortable() @Optional() @Integer({ min: 0, max: 999 }) desc!: number | null;
  @Filterable() @Optional() @Text({ max: 50 }) group!: string | null;
  @Text({ max: 20 }) select!: string;
  @Sortable() @Optional() @Integer({ min: 0, max: 9 }) default!: number | null;
}
const named = { name: 'table', singular: 'row', events: true } as const;
const former = collection({ ...named, input: Former });
const tables = collection({
  ...named,
  input: Input,
  unique: ['select', ['order', 'group']],
  computed: { end: (row) => row.desc === null },
});
interface Page {
  readonly table: readonly { readonly id: string; readonly desc: number }[];
  readonly next_cursor?: string;
}

onBothDatabases(
  'Keywords of SQL as names',
  (config) => Promise.resolve(new StartedServices(config)),
  (under) => {
    const start = (collections: object[], migrations: Migration[] = []): Promise<StartedService> =>
      under.database.start({ collections: collections as [typeof tables], migrations });

    it('are names of collections and fields like any other', async () => {
      const older = await start([former]);
      for (let count = 0; count < 6; count++) {
        await older.admin.post('/table', {
          order: `o${String(count)}`,
          user: 'ada',
          desc: count,
          select: `s${String(count)}`,
        });
      }
      await older.stop();
      const { migration } = (await start([tables]).catch((error: unknown) => error)) as MissingMigrationError;
      expect(migration.name).toMatch(/^table_add_group_add_default_add_end_free_desc_add_unique_/);
      const { admin: client } = await start([tables], [migration]);

      const get = async (query: string): Promise<Page> => (await client.get(`/table?${query}`)).json() as Page;
      const numbers = async (query: string): Promise<number[]> => (await get(query)).table.map(({ desc }) => desc);
      expect(await numbers('sort=-desc')).toEqual([5, 4, 3, 2, 1, 0]);
      expect(await numbers('sort=desc,-order&user=ada')).toEqual([0, 1, 2, 3, 4, 5]);
      expect(await numbers('sort=-order&order_prefix=o')).toEqual([5, 4, 3, 2, 1, 0]);
      expect(await numbers('sort=desc&desc_min=2&desc_max=3')).toEqual([2, 3]);
      expect(await numbers('user=ada&sort=-desc&page=2&per_page=4')).toEqual([1, 0]);
      expect(await get('user=ada&page=1&per_page=1')).toMatchObject({ total: 6 });

      // A walk shows the rows as they were at its first page.
      const first = await get('sort=desc&limit=2');
      const [one, two] = (await get('sort=-desc&limit=2')).table;
      const changed = { order: 'changed', user: 'bob', desc: null, group: 'g', select: 'new' };
      expect((await client.put(`/table/${String(one?.id)}`, changed)).json()).toMatchObject({ ...changed, end: true });
      expect((await client.delete(`/table/${String(two?.id)}`)).status).toBe(204);
      const rest = await get(`sort=desc&limit=10&cursor=${String(first.next_cursor)}`);
      expect(rest.table.map(({ desc }) => desc)).toEqual([2, 3, 5]);

      expect(await get('group=g&page=1')).toMatchObject({ total: 1 });
      expect(await get('end=true&page=1')).toMatchObject({ total: 1 });
      expect((await client.post('/table', { ...changed, select: 's0' })).json()).toMatchObject({
        error: 'Another row has this select.',
      });
      expect((await client.post('/table', { ...changed, select: 'other' })).json()).toMatchObject({
        error: 'Another row has this order and group.',
      });
      const headers: [string, string][] = [['Idempotency-Key', 'once']];
      const created = await client.send('POST', '/table', { headers, json: { ...changed, order: 'x', select: 'x' } });
      expect([created.status, created.json()]).toMatchObject([201, { order: 'x' }]);
    });

    it('are quoted, for each keyword that PostgreSQL reserves', async () => {
      const { app } = await start([]);
      const database = app.get(Database);
      if (database.dialect === 'sqlite') return;
      const words = await database.query<{ word: string }>("SELECT word FROM pg_get_keywords() WHERE catcode <> 'U'");
      expect(words.map(({ word }) => word).filter((word) => sqlName(word) !== quoted(word))).toEqual([]);
    });
  },
);
