import { Filterable, Integer, Optional, Reference, Sortable, Text } from '@items/fields';
import { onBothDatabases } from '@items/testing';

import type { MissingMigrationError } from './collections/missing-migration.js';
import { collection, type Migration } from '../index.js';
import { type StartedService, StartedServices } from './started-services.testing.js';

const LONG = 'x'.repeat(49);
class Long {
  [name: string]: unknown;
}
for (const name of [`${LONG}a`, `${LONG}b`]) {
  Text({ max: 50 })(Long.prototype, name);
  Sortable()(Long.prototype, name);
  Filterable()(Long.prototype, name);
}
const longs = collection({ name: `${LONG}s`, singular: 'long', input: Long, events: true, unique: [`${LONG}b`] });
class Below {
  @Optional() @Reference(longs) other_id!: string | null;
  @Sortable() @Text({ max: 50 }) title!: string;
}
const below = collection({ name: `${LONG}t`, singular: LONG, input: Below, parent: longs });

class Former {
  @Text({ max: 50 }) title!: string;
}
class Keyed extends Former {
  @Sortable() @Optional() @Integer({ min: 0, max: 99 }) end!: number | null;
}
const named = { name: 'spans', singular: 'span' } as const;
const former = collection({ ...named, input: Former });
const spans = collection({ ...named, input: Keyed });

onBothDatabases(
  'Awkward names',
  (config) => Promise.resolve(new StartedServices(config)),
  (under) => {
    const start = (collections: object[], migrations: Migration[] = []): Promise<StartedService> =>
      under.database.start({ collections: collections as [typeof spans], migrations });
    const failure = async (collections: object[], migrations: Migration[] = []): Promise<MissingMigrationError> =>
      start(collections, migrations).then(
        () => Promise.reject(new Error('It has started')),
        (error: unknown) => error as MissingMigrationError,
      );

    it('fields of 50 characters that differ in the last one are sorted, filtered and unique, also after a new start', async () => {
      for (const round of [1, 2]) {
        const { admin: client, stop } = await start([longs, below]);
        const path = `/${LONG}s`;
        const member = { [`${LONG}a`]: 'a', [`${LONG}b`]: `b${String(round)}` };
        const created = await client.post(path, member);
        expect(created.status).toBe(201);
        expect((await client.post(path, member)).status).toBe(409);
        const { id } = created.json() as { id: string };
        expect((await client.post(`${path}/${id}/${LONG}t`, { title: 'x', other_id: id })).status).toBe(201);
        const list = await client.get(`${path}?sort=-${LONG}b&${LONG}a=a&page=1`);
        const { total, [`${LONG}s`]: shown } = list.json() as { total: number; [name: string]: unknown };
        expect([total, shown]).toEqual([round, expect.arrayContaining([expect.objectContaining({ id })])]);
        await stop();
      }
    });

    it('a field "end" can be added and dropped', async () => {
      await (await start([former])).stop();
      const { migration: added } = await failure([spans]);
      const { admin: client, stop } = await start([spans], [added]);
      for (const end of [1, 3, 2]) expect((await client.post('/spans', { title: 'x', end })).status).toBe(201);
      const page = (await client.get('/spans?sort=-end&page=1')).json() as { spans: { end: number }[] };
      expect(page.spans.map(({ end }) => end)).toEqual([3, 2, 1]);
      await stop();
      const { migration: dropped } = await failure([former], [added]);
      await (await start([former], [added, dropped])).stop();
    });
  },
);
