import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Integer, Optional, Reference, Text } from '@items/fields';
import { onBothDatabases } from '@items/testing';

import { collection } from '../index.js';
import { StartedServices } from './started-services.testing.js';
import { runAdminCommand } from './testing/run-admin.testing.js';

class BookInput {
  @Text({ max: 100 }) title!: string;
  @Optional() @Text({ max: 20 }) isbn!: string | null;
  @Optional() @Integer({ min: 0, max: 99 }) slot!: number | null;
}
const books = collection({ name: 'books', singular: 'book', input: BookInput, unique: ['isbn', ['title', 'slot']] });
class ShelfInput {
  @Optional() @Reference(() => shelves) above_id!: string | null;
  @Optional() @Reference(books) first_id!: string | null;
}
const shelves: ReturnType<typeof collection<ShelfInput>> = collection({
  name: 'shelves',
  singular: 'shelf',
  input: ShelfInput,
});
class ChapterInput {
  @Text({ max: 100 }) title!: string;
}
const chapters = collection({ name: 'chapters', singular: 'chapter', input: ChapterInput, parent: books });
const collections = [books, shelves, chapters];
const id = (digit: number): string => `01890000-0000-7000-8000-00000000000${String(digit)}`;

onBothDatabases(
  'An import of members with keys, references and parents',
  async (config) => {
    const services = new StartedServices(config);
    const folder = mkdtempSync(join(tmpdir(), 'items-import-'));
    const admin = (...args: string[]): Promise<string> => runAdminCommand(config, { collections }, ...args);
    const file = join(folder, 'lines');
    const load = (name: string, ...lines: object[]): Promise<string> => {
      writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      return admin('import', name, file);
    };
    const { admin: client } = await services.start({ collections });
    return {
      ...{ services, client, admin, load, folder },
      async close() {
        await services.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
  (under) => {
    it('names the lines whose unique values another member or an earlier line has, and writes nothing', async () => {
      const { client, load } = under.database;
      await client.post('/books', { title: 'Emma', isbn: '1', slot: 1 });
      const output = await load(
        'books',
        { title: 'Emma', isbn: '2', slot: 1 },
        { title: 'x', isbn: '1' },
        { title: 'New', isbn: '3', slot: 3 },
        { title: 'New', isbn: '4', slot: 3 },
        { title: 'New', slot: null },
        { title: 'New', slot: null },
      );
      expect(output).toContain('line 1: not_unique: Another book has this title and slot.');
      expect(output).toContain('line 2: not_unique: Another book has this isbn.');
      expect(output).toContain('line 4: not_unique: Line 3 has the same title, slot.');
      expect(output).toContain('Nothing was imported: 3 lines are wrong.');
      expect((await client.get('/books?page=1')).json()).toMatchObject({ total: 1 });
    });

    it('accepts an export again: members that are there already do not conflict with themselves', async () => {
      const { client, admin, load, folder } = under.database;
      expect(await load('books', { id: id(1), title: 'Persuasion', isbn: '9', slot: 9 })).toContain('Imported 1 book.');
      const exported = join(folder, 'exported');
      await admin('export', 'books', exported);
      const lines = readFileSync(exported, 'utf8').trim().split('\n');
      expect(await admin('import', 'books', exported)).toMatch(/^Imported 0 books; 2 more/);
      expect((await client.get('/books?page=1')).json()).toMatchObject({ total: lines.length });
    });

    it('names the lines whose reference or parent is neither stored nor in an earlier line', async () => {
      const { client, load } = under.database;
      const book = ((await client.post('/books', { title: 'Referred' })).json() as { id: string }).id;
      const output = await load(
        'shelves',
        { id: id(1), first_id: book },
        { id: id(2), above_id: id(1) },
        { id: id(3), above_id: id(4) },
        { id: id(4), first_id: id(9) },
      );
      expect(output).toContain('line 3: validation_failed: "above_id" is the id of no shelf.');
      expect(output).toContain('line 4: validation_failed: "first_id" is the id of no book.');
      expect(output).toContain('Nothing was imported: 2 lines are wrong.');
      const rows = Array.from({ length: 12 }, (_, index) => ({
        id: `01890000-0000-7000-8000-0000000001${String(index).padStart(2, '0')}`,
        above_id: index === 0 ? null : `01890000-0000-7000-8000-0000000001${String(index - 1).padStart(2, '0')}`,
      }));
      expect(await load('shelves', ...rows)).toContain('Imported 12 shelves.');
      expect(await load('chapters', { title: 'One', book_id: id(9) })).toContain('line 1: book_not_found');
      expect(await load('chapters', { title: 'One', book_id: book })).toContain('Imported 1 chapter.');
      expect((await client.delete(`/books/${book}`)).json()).toMatchObject({ code: 'has_children' });
    });

    it('does not open standard input to read a file', async () => {
      const opened = jest.spyOn(process, 'stdin', 'get');
      expect(await under.database.load('books', { title: 'From a file' })).toContain('Imported 1 book.');
      expect(opened).not.toHaveBeenCalled();
      opened.mockRestore();
    });

    it('a restored backup has the keys and the references', async () => {
      const { services, admin, folder } = under.database;
      const backup = join(folder, 'backup');
      expect(await admin('backup', backup)).toMatch(/^Backed up to /);
      await services.close();
      expect(await admin('restore', backup)).toMatch(/^Restored the backup of /);
      const { admin: client } = await services.start({ collections });
      expect((await client.post('/books', { title: 'x', isbn: '9' })).json()).toMatchObject({ code: 'not_unique' });
      expect((await client.post('/shelves', { above_id: id(9) })).status).toBe(422);
      const page = (await client.get('/books?limit=100')).json() as { books: { id: string; title: string }[] };
      const referred = page.books.find(({ title }) => title === 'Referred')?.id ?? '';
      expect((await client.delete(`/books/${referred}`)).json()).toMatchObject({ code: 'has_children' });
    });
  },
);
