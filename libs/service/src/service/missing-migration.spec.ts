import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

import { Filterable, Integer, Optional, Sortable, Text } from '@items/fields';
import { onBothDatabases } from '@items/testing';

import type { MissingMigrationError } from './collections/missing-migration.js';
import { Database } from '../data/database/database.js';
import { collection, type Migration } from '../index.js';
import { type StartedService, StartedServices } from './started-services.testing.js';

class FormerBook {
  @Sortable() @Text({ min: 1, max: 200 }) title!: string;
  @Text({ min: 1, max: 100 }) author!: string;
  @Sortable() @Integer({ min: 0, max: 9999 }) year!: number;
  @Sortable() @Filterable() @Text({ min: 1, max: 20 }) shelf!: string;
}
class Book {
  @Sortable() @Text({ min: 1, max: 200 }) title!: string;
  @Sortable() @Filterable() @Text({ min: 1, max: 100 }) author!: string;
  @Sortable() @Optional() @Integer({ min: 0, max: 9999 }) year!: number | null;
  @Sortable() @Integer({ min: 0, max: 5 }) stars!: number;
  @Filterable() @Optional() @Text({ max: 20 }) language!: string | null;
}
class Paper {
  @Filterable() @Text({ min: 1, max: 100 }) author!: string;
  @Filterable() @Optional() @Text({ max: 20 }) language!: string | null;
}
const magazines = { name: 'magazines', singular: 'magazine' } as const;
const former = collection({ name: 'books', singular: 'book', input: FormerBook });
const books = collection({ name: 'books', singular: 'book', input: Book });
const notes = collection({ name: 'notes', singular: 'note', input: FormerBook, parent: 'users' });
const laterNotes = collection({ name: 'notes', singular: 'note', input: Book, parent: 'users' });

onBothDatabases(
  'A collection whose definition has changed',
  (config) => Promise.resolve(new StartedServices(config)),
  (under) => {
    const start = (collections: object[], migrations: Migration[] = []): Promise<StartedService> =>
      under.database.start({ collections: collections as [typeof books], migrations });
    const missing = async (collections: object[], migrations: Migration[] = []): Promise<MissingMigrationError> =>
      start(collections, migrations).then(
        () => Promise.reject(new Error('It has started')),
        (error: unknown) => error as MissingMigrationError,
      );
    const emma = { title: 'Emma', author: 'Austen', year: 1815 };

    it('prints the migration that counts stored members for a later set of filters', async () => {
      const papers = { name: 'papers', singular: 'paper', input: Paper } as const;
      const counted = collection({ ...papers, countedFilters: [['author', 'language']] });
      const first = await start([collection(papers)]);
      for (const language of ['en', 'en', 'de', null])
        await first.admin.post('/papers', { author: 'Austen', language });
      await first.stop();
      const { migration } = await missing([counted]);
      expect(migration.name).toBe('papers_count_author_language');
      const second = await start([counted], [migration]);
      const total = async (language: string): Promise<unknown> =>
        ((await second.admin.get(`/papers?author=Austen&language=${language}`)).json() as { total: number }).total;
      await second.admin.post('/papers', { author: 'Austen', language: 'de' });
      expect([await total('en'), await total('de'), await total('fr')]).toEqual([2, 2, 0]);
      await second.stop();
      await (await start([counted], [migration])).stop();
    });

    it('stops the start with the migration that is missing; with it, rows, lists and totals continue', async () => {
      const first = await start([former, notes]);
      for (const author of ['Austen', 'Austen', 'Brontë "C"']) {
        await first.admin.post('/books', { ...emma, author, shelf: 'A' });
      }
      await first.stop();

      const error = await missing([books, notes]);
      expect(error.message).toMatch(/^The table of the collection "books" does not fit its definition\./);
      const literal = JSON.parse(error.message.slice(error.message.indexOf('{'))) as Migration;
      expect(literal).toEqual(error.migration);
      // Node prints an uncaught error like this: the migration once, and no stack.
      expect(inspect(error)).toBe(`[MissingMigrationError: ${error.message}]`);
      expect(literal.name).toBe('books_add_stars_add_language_drop_shelf_free_year');
      const of = await missing([books, laterNotes], [literal]);
      expect(of.message).toContain('"notes"');

      const second = await start([books, laterNotes], [literal, of.migration]);
      const client = second.admin;
      const made = await client.post('/books', { title: 'Jane Eyre', author: 'Austen', year: null, stars: 4 });
      expect([made.status, made.json()]).toMatchObject([201, { year: null, stars: 4, language: null }]);
      const total = async (query: string): Promise<unknown> =>
        ((await client.get(`/books?${query}`)).json() as { total: number }).total;
      expect([
        await total('author=Austen'),
        await total('author=Bront%C3%AB%20%22C%22'),
        await total('page=1'),
      ]).toEqual([3, 1, 4]);
      const sorted = (await client.get('/books?sort=-stars,author&limit=4')).json() as { books: { stars: number }[] };
      expect(sorted.books.map(({ stars }) => stars)).toEqual([4, 0, 0, 0]);
      const { id } = made.json() as { id: string };
      expect((await client.put(`/books/${id}`, { title: 'x', author: 'Eliot', stars: 1, language: 'en' })).status).toBe(
        200,
      );
      expect([await total('author=Austen'), await total('language=en')]).toEqual([2, 1]);
      expect((await client.delete(`/books/${id}`)).status).toBe(204);
      await second.stop();
      await (await start([books, laterNotes], [literal, of.migration])).stop();
    });

    it('a refused start leaves no connections to the database', async () => {
      if (under.config.dialect === 'sqlite') return;
      const kept = { name: 'sheets', singular: 'sheet' } as const;
      const service = await start([collection({ ...kept, input: FormerBook })]);
      const sql = 'SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database()';
      const count = async (): Promise<number> =>
        (await service.app.get(Database).query<{ n: number }>(sql))[0]?.n ?? NaN;
      const before = await count();
      await missing([collection({ ...kept, input: Paper })]);
      // The running service may open a few. PostgreSQL shows a closed one for some milliseconds.
      for (let tries = 0; tries < 20 && (await count()) > before + 3; tries++) await sleep(50);
      expect(await count()).toBeLessThanOrEqual(before + 3);
      await service.stop();
    });

    it('a migration of a collection that does not exist stops the start', async () => {
      const migration = { name: 'books_add_x', collection: 'book', sqlite: [], postgres: [] };
      await expect(start([books], [migration])).rejects.toMatchObject({
        name: 'StartRefusedError',
        message:
          'The migration "books_add_x" belongs to the collection "book", which the service does not have: correct the name, or remove the migration.',
      });
    });

    it('a new database runs only the parts of a migration that are not about tables of collections', async () => {
      const before = collection({ ...magazines, input: FormerBook });
      const now = collection({ ...magazines, input: Book });
      await (await start([before])).stop();
      const { migration } = await missing([now]);
      expect(migration.collection).toBe('magazines');
      const printed = JSON.parse(JSON.stringify(migration).replaceAll('magazines', 'journals')) as Migration;
      const own = ['CREATE TABLE own_table (journals text)'];
      const { collection: _, ...former } = printed;
      const all = [
        printed,
        // A literal of a former version, which names no collection.
        { ...former, name: 'former', sqlite: [...former.sqlite, ...own], postgres: [...former.postgres, ...own] },
      ];
      const journals = collection({ name: 'journals', singular: 'journal', input: Book });
      const service = await start([journals], all);
      const client = service.admin;
      expect((await client.post('/journals', { ...emma, stars: 3, language: 'en' })).status).toBe(201);
      expect(((await client.get('/journals?language=en&page=1')).json() as { total: number }).total).toBe(1);
      expect(await service.app.get(Database).query('SELECT * FROM own_table')).toEqual([]);
      await service.stop();
      await (await start([journals], all)).stop();
    });
  },
);
