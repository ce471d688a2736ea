import {
  Choice,
  DateTime,
  Filterable,
  Float,
  Integer,
  Money,
  NestedList,
  Optional,
  Sortable,
  Text,
} from '@items/fields';
import { onBothDatabases } from '@items/testing';

import { Database } from '../data/database/database.js';
import { collection, type Migration } from '../index.js';
import type { MissingMigrationError } from './collections/missing-migration.js';
import { type StartedService, StartedServices } from './started-services.testing.js';

class FormerLine {
  @Money() price!: number;
}
class Line {
  @Float({ min: 0, max: 9 }) price!: number;
}
class FormerBook {
  @Sortable() @Text({ max: 50 }) title!: string;
  @Sortable() @Money() price!: number;
  @Integer({ min: 0, max: 100 }) rank!: number;
  @Text({ max: 40 }) at!: string;
  @Filterable() @Choice(['a', 'b', 'c']) genre!: string;
  @Optional() @Text({ max: 20 }) note!: string | null;
}
class Book {
  @Sortable() @Text({ max: 4 }) title!: string;
  @Sortable() @Float({ min: 0, max: 1e6 }) price!: number;
  @Text({ max: 10 }) rank!: string;
  @DateTime() at!: string;
  @Filterable() @Choice(['b', 'a']) genre!: string;
  @Text({ max: 20 }) note!: string;
}
class FormerOrder {
  @NestedList(() => FormerLine, { min: 0, max: 9 }) lines!: FormerLine[];
}
class Order {
  @NestedList(() => Line, { min: 0, max: 9 }) lines!: Line[];
}
const former = collection({ name: 'books', singular: 'book', input: FormerBook });
const books = collection({ name: 'books', singular: 'book', input: Book });
const formerOrders = collection({ name: 'orders', singular: 'order', input: FormerOrder });
const orders = collection({ name: 'orders', singular: 'order', input: Order });

onBothDatabases(
  'A collection whose types have changed',
  (config) => Promise.resolve(new StartedServices(config)),
  (under) => {
    const start = (collections: object[], migrations: Migration[] = []): Promise<StartedService> =>
      under.database.start({ collections: collections as [typeof books], migrations });
    const refusal = (collections: object[], migrations: Migration[] = []): Promise<MissingMigrationError> =>
      start(collections, migrations).then(
        () => Promise.reject(new Error('It has started')),
        (error: unknown) => error as MissingMigrationError,
      );

    it('does not start without the printed migration, which converts the stored members', async () => {
      const first = await start([former]);
      const at = '2020-01-02T03:04:05.678+01:00';
      const emma = { title: 'Emma Woodhouse', price: 12.5, rank: 7, at, genre: 'c' };
      expect((await first.admin.post('/books', emma)).status).toBe(201);
      await first.stop();

      const error = await refusal([books]);
      expect(error.message).toMatch(
        /^Stored members of the collection "books" would mean something else: "title" was Text of 0 to 50 .* "price" was Money and is Float; /,
      );
      expect(error.migration.converts).toEqual(['title', 'price', 'rank', 'at', 'genre', 'note']);
      // Nothing has changed so far.
      const again = await start([former]);
      expect((await again.admin.get('/books')).json()).toMatchObject({ books: [emma] });
      await again.stop();

      const second = await start([books], [error.migration]);
      const converted = { title: 'Emma', price: 12.5, rank: '7', at: '2020-01-02T02:04:05.678Z', genre: 'b', note: '' };
      expect((await second.admin.get('/books?genre=b&page=1&sort=price')).json()).toMatchObject({
        books: [converted],
        total: 1,
      });
      expect((await second.admin.post('/books', { ...converted, price: 0.125 })).status).toBe(201);
      await second.stop();
      await (await start([books], [error.migration])).stop();
    });

    it('takes a table without recorded types as it is', async () => {
      const service = await start([formerOrders]);
      await service.app
        .get(Database)
        .transaction((tx) => tx.query("DELETE FROM settings WHERE name LIKE 'collection:%'"));
      await service.stop();
      await (await start([orders])).stop();
      expect((await refusal([formerOrders])).message).toContain('"lines.price" was Float and is Money');
    });

    it('starts after a migration of a team that converts types which the service cannot convert', async () => {
      const error = await refusal([formerOrders]);
      expect(error).toMatchObject({
        name: 'StartRefusedError',
        message: expect.stringMatching(
          /write a migration with collection: "orders" and converts: \["lines"\]\.$/,
        ) as string,
      });
      const migration = { name: 'lines', collection: 'orders', converts: ['lines'], sqlite: [], postgres: [] };
      await (await start([formerOrders], [migration])).stop();
      await expect(start([orders], [{ name: 'x', converts: ['lines'], sqlite: [], postgres: [] }])).rejects.toThrow(
        'The migration "x" converts lines and names no collection',
      );
    });
  },
);
