import { Filterable, Integer, Optional, Sortable, Text } from '@items/fields';
import { onBothDatabases } from '@items/testing';

import { collection } from '../index.js';
import { StartedServices } from './started-services.testing.js';

class BookInput {
  @Sortable() @Text({ min: 1, max: 200 }) title!: string;
  @Filterable() @Text({ min: 1, max: 100 }) author!: string;
  @Sortable() @Optional() @Integer({ min: 0, max: 9999 }) year!: number | null;
}
const books = collection({ name: 'books', singular: 'book', input: BookInput, events: true });
const migrations = [
  { name: 'CreateShelves', sqlite: ['CREATE TABLE shelves (n int)'], postgres: ['CREATE TABLE shelves (n int)'] },
];

onBothDatabases(
  'A service with a collection of its own, started again',
  (config) => Promise.resolve(new StartedServices(config)),
  (under) => {
    it('finds its table as it left it, and runs no migration twice', async () => {
      const ids: unknown[] = [];
      for (const year of [1815, null]) {
        const { admin: client, stop } = await under.database.start({ collections: [books], migrations });
        const made = await client.post('/books', { title: 'Emma', author: 'Austen', year });
        ids.push((made.json() as { id: string }).id);
        const found = (await client.get('/books?author=Austen&sort=year,title&page=1')).json() as {
          books: { id: string }[];
        };
        expect([made.status, new Set(found.books.map(({ id }) => id))]).toEqual([201, new Set(ids)]);
        await stop();
      }
    });
  },
);
