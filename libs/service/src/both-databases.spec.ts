import { Filterable, Integer, Optional, Sortable, Text } from '@items/fields';
import { HttpClient, onBothDatabases } from '@items/testing';

import { collection, startService } from './index.js';

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
  (config) => {
    const DATABASE_URL = config.dialect === 'postgres' ? config.url : `sqlite:${config.file}`;
    const settings = { DATABASE_URL, ADMIN_API_KEY: 'k'.repeat(32), PORT: '0', LOG_LEVEL: 'fatal', STOP_DELAY: '0' };
    const start = () => startService({ collections: [books], migrations, settings, signals: false });
    return Promise.resolve({ start, close: () => Promise.resolve() });
  },
  (under) => {
    it('finds its table as it left it, and runs no migration twice', async () => {
      const ids: unknown[] = [];
      for (const year of [1815, null]) {
        const { url, adminKey = '', stop } = await under.database.start();
        const client = new HttpClient({ baseUrl: url, headers: [['X-API-Key', adminKey]] });
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
