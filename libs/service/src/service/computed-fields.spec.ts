import { Filterable, Integer, Optional, Sortable, Text } from '@items/fields';
import { type HttpClient, onBothDatabases } from '@items/testing';

import type { MissingMigrationError } from './collections/missing-migration.js';
import { collection, type Migration } from '../index.js';
import { collectionToken } from '../http/nest/collection-token.js';
import { type StartedService, StartedServices } from './started-services.testing.js';

class BookInput {
  @Sortable() @Text({ min: 1, max: 200 }) title!: string;
  @Filterable() @Text({ min: 1, max: 20 }) shelf!: string;
  @Sortable() @Integer({ min: 0, max: 1000 }) stock!: number;
  @Optional() @Integer({ min: 0, max: 9999 }) year!: number | null;
}
const named = { name: 'books', singular: 'book', input: BookInput, events: true } as const;
const ofOld = { ...named, name: 'volumes', singular: 'volume' } as const;
const former = collection(ofOld);
const computed = {
  in_stock: (book: BookInput): boolean => book.stock > 0,
  is_old: (book: BookInput): boolean => book.year !== null && book.year < 1900,
};
const books = collection({ ...named, computed });
const volumes = collection({ ...ofOld, computed });
const broken = collection({
  ...named,
  name: 'tomes',
  singular: 'tome',
  computed: { in_stock: (() => undefined) as never },
});
const emma = { title: 'Emma', shelf: 'A', stock: 2, year: 1815 };

onBothDatabases(
  'Computed fields of a collection',
  (config) => Promise.resolve(new StartedServices(config)),
  (under) => {
    const start = (definition: object, migrations: Migration[] = []): Promise<StartedService> =>
      under.database.start({ collections: [definition as typeof former], migrations });
    const total = async (client: HttpClient, name: string, query = ''): Promise<number> =>
      ((await client.get(`/${name}?page=1&${query}`)).json() as { total: number }).total;

    it('follow the input at each write, filter lists, have totals, and appear in the document and in events', async () => {
      const service = await start(books);
      const client = service.admin;
      const made = await client.post('/books', { ...emma, in_stock: false });
      expect([made.status, made.json()]).toMatchObject([201, { in_stock: true, is_old: true }]);
      const { id } = made.json() as { id: string };
      for (const stock of [0, 0, 5]) await client.post('/books', { ...emma, stock, year: null });
      expect([
        await total(client, 'books', 'in_stock=true'),
        await total(client, 'books', 'in_stock=false&is_old=false'),
      ]).toEqual([2, 2]);

      const replaced = await client.put(`/books/${id}`, { ...emma, stock: 0, in_stock: true });
      expect(replaced.json()).toMatchObject({ in_stock: false, is_old: true });
      expect((await client.get(`/books/${id}`)).text).toBe(replaced.text);
      expect([await total(client, 'books', 'in_stock=true'), await total(client, 'books', 'in_stock=false')]).toEqual([
        1, 3,
      ]);
      expect((await client.get('/books?in_stock=maybe')).status).toBe(400);

      const { events } = (await client.get('/events?type=book.updated')).json() as { events: { data: object }[] };
      expect(events[0]?.data).toMatchObject({ object: { in_stock: false }, previous: { in_stock: true } });
      const { paths, components } = (await client.get('/openapi.json')).json() as {
        paths: Record<string, { get: { parameters: { name?: string }[] } }>;
        components: { schemas: Record<string, { properties: Record<string, object> }> };
      };
      expect(paths['/books']?.get.parameters.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['in_stock', 'is_old']),
      );
      expect(components.schemas['Book']?.properties).toHaveProperty('in_stock');
      const { id: readOnly, in_stock: sent } = components.schemas['BookInput']?.properties ?? {};
      expect(sent).toEqual(readOnly);
      const { in_stock: shown = {} } = components.schemas['Book']?.properties ?? {};
      const { $ref = '' } = shown as { $ref?: string };
      expect(components.schemas[$ref.split('/').at(-1) ?? ''] ?? shown).toMatchObject({ type: 'boolean' });

      const members = service.app.get<{
        transaction: (work: (tx: never) => Promise<unknown>) => Promise<unknown>;
        update: (tx: never, id: string, fields: object, precondition: () => void) => Promise<unknown>;
      }>(collectionToken(books), { strict: false });
      await members.transaction((tx) => members.update(tx, id, { year: 2001 }, () => undefined));
      expect((await client.get(`/books/${id}`)).json()).toMatchObject({ year: 2001, in_stock: false, is_old: false });
    });

    it('are filled by the service in members that are older than the field', async () => {
      const first = await start(former);
      for (let n = 0; n < 130; n += 1) await first.admin.post('/volumes', { ...emma, stock: n % 2 });
      await first.stop();
      const error = await start(volumes).then(
        () => Promise.reject(new Error('It has started')),
        (error: unknown) => error as MissingMigrationError,
      );
      expect(error.migration.name).toBe('volumes_add_in_stock_add_is_old');
      const second = await start(volumes, [error.migration]);
      const client = second.admin;
      expect([
        await total(client, 'volumes', 'in_stock=true'),
        await total(client, 'volumes', 'in_stock=false'),
      ]).toEqual([65, 65]);
      expect(await total(client, 'volumes', 'is_old=true')).toBe(130);
      const { volumes: shown } = (await client.get('/volumes?in_stock=false&limit=100')).json() as {
        volumes: object[];
      };
      expect(shown).toEqual(Array(65).fill(expect.objectContaining({ stock: 0, in_stock: false, is_old: true })));
      await second.stop();
      await (await start(volumes, [error.migration])).stop();
    });

    it('filters that are neither true nor false are an error of the service, and nothing is written', async () => {
      const { admin: client } = await start(broken);
      expect((await client.post('/tomes', emma)).status).toBe(500);
      expect(await total(client, 'tomes')).toBe(0);
    });
  },
);

describe('The definition of a collection', () => {
  it('refuses computed fields whose names are no names of fields, or are taken', () => {
    const of = (name: string) => () => collection({ ...named, computed: { [name]: () => true } });
    expect(of('in stock')).toThrow('needs a name in snake_case');
    expect(of('title')).toThrow('has the name of another field');
    expect(of('created_at')).toThrow('has the name of another field');
  });
});
