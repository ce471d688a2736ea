import { Integer, Optional, Text } from '@items/fields';
import { type HttpClient, onBothDatabases } from '@items/testing';

import type { MissingMigrationError } from './collections/missing-migration.js';
import { collection, type Migration } from '../index.js';
import type { CollectionService } from '../data/collections/collection-service.js';
import { collectionToken } from '../http/nest/collection-token.js';
import { type StartedService, StartedServices } from './started-services.testing.js';

class FormerBook {
  @Text({ min: 1, max: 100 }) title!: string;
  @Optional() @Text({ max: 20 }) isbn!: string | null;
  @Optional() @Text({ max: 20 }) shelf!: string | null;
  @Optional() @Integer({ min: 0, max: 99 }) slot!: number | null;
}
class Note {
  @Text({ max: 20 }) name!: string;
  @Optional() @Text({ max: 20 }) code!: string | null;
}
const named = { name: 'books', singular: 'book', input: FormerBook, events: true } as const;
const unkeyed = collection(named);
const books = collection({ ...named, unique: [['shelf', 'title'], 'isbn', ['slot']] });
const notes = collection({
  name: 'notes',
  singular: 'note',
  input: Note,
  parent: 'users',
  unique: ['name', { fields: ['code'], across: true }],
});

type HttpResponse = Awaited<ReturnType<HttpClient['get']>>;

const emma = { title: 'Emma', isbn: '1', shelf: 'A', slot: 1 };
const conflict = (fields: readonly string[], sentence: string): object => ({
  error: sentence,
  code: 'not_unique',
  details: fields.map((field) => ({ field, code: 'not_unique', message: sentence })),
});
const shelfAndTitle = conflict(['shelf', 'title'], 'Another book has this shelf and title.');
const isbn = conflict(['isbn'], 'Another book has this isbn.');
const statuses = (answers: readonly HttpResponse[]): number[] => answers.map(({ status }) => status).sort();

onBothDatabases(
  'Unique keys',
  async (config) => {
    const services = new StartedServices(config);
    const start = (): Promise<StartedService> => services.start({ collections: [books, notes] });
    const both = [await start(), await start()] as const;
    return { both, clients: both.map(({ admin }) => admin) as [HttpClient, HttpClient], close: () => services.close() };
  },
  (under) => {
    const made = async (book: object): Promise<string> =>
      ((await under.database.clients[0].post('/books', book)).json() as { id: string }).id;
    const post = async (book: object): Promise<unknown> => {
      const answer = await under.database.clients[1].post('/books', book);
      return answer.status === 201 ? 201 : [answer.status, answer.json()];
    };

    it('POST names the first key in the order of declaration, and its fields', async () => {
      await made({ ...emma, isbn: '10', slot: 10 });
      await made({ ...emma, title: 'Persuasion', isbn: '11', slot: 11 });
      expect(await post({ ...emma, isbn: '10', slot: 11 })).toEqual([409, shelfAndTitle]);
      expect(await post({ title: 'x', isbn: '10', slot: 11 })).toEqual([409, isbn]);
      expect(await post({ title: 'x', isbn: '10' })).toEqual([409, isbn]);
      expect(await post({ title: 'x', slot: 11 })).toEqual([409, conflict(['slot'], 'Another book has this slot.')]);
    });

    it('PUT names it, too, and a member does not conflict with itself', async () => {
      const [client] = under.database.clients;
      await made({ title: 'A', shelf: 'P', isbn: '20', slot: 20 });
      const id = await made({ title: 'B', shelf: 'P', isbn: '21', slot: 21 });
      const put = async (book: object): Promise<unknown> => {
        const answer = await client.put(`/books/${id}`, book);
        return [answer.status, answer.status === 200 || answer.json()];
      };
      expect(await put({ title: 'B', shelf: 'P', isbn: '21', slot: 21 })).toEqual([200, true]);
      expect(await put({ title: 'A', shelf: 'P', isbn: '20', slot: 20 })).toEqual([409, shelfAndTitle]);
      expect(await put({ title: 'B', shelf: 'P', isbn: '20', slot: 20 })).toEqual([409, isbn]);
      expect((await client.get(`/books/${id}`)).json()).toMatchObject({ isbn: '21', slot: 21 });
      expect(await put({ title: 'B', shelf: 'P', isbn: '22', slot: null })).toEqual([200, true]);
    });

    it('null never conflicts, and the values of a deleted member are free', async () => {
      const [client] = under.database.clients;
      expect([await post({ title: 'Null' }), await post({ title: 'Null' })]).toEqual([201, 201]);
      const id = await made({ title: 'Gone', isbn: '30' });
      await client.delete(`/books/${id}`);
      expect(await post({ title: 'Gone', isbn: '30' })).toBe(201);
    });

    it('a conflict leaves no event and no record of its Idempotency-Key', async () => {
      const [client] = under.database.clients;
      const id = await made({ title: 'First', isbn: '40' });
      const headers: [string, string][] = [['Idempotency-Key', 'again']];
      const send = (): Promise<HttpResponse> =>
        client.send('POST', '/books', { headers, json: { title: 'Second', isbn: '40', slot: 40 } });
      expect([(await send()).json(), (await send()).json()]).toEqual([isbn, isbn]);
      await client.delete(`/books/${id}`);
      const created = await send();
      expect([created.status, (await send()).text]).toEqual([201, created.text]);
      const { events } = (await client.get('/events?type=book.created&limit=100')).json() as {
        events: { data: { object: { isbn: string } } }[];
      };
      expect(events.filter(({ data }) => data.object.isbn === '40')).toHaveLength(2);
    });

    it.each([undefined, 'key'])(
      'exactly one of 32 concurrent writes over two instances succeeds (key: %s)',
      async (key) => {
        const { clients } = under.database;
        const value = `5${key ?? ''}`;
        const answers = await Promise.all(
          Array.from({ length: 32 }, (_, index) =>
            (clients[index % 2] as HttpClient).send('POST', '/books', {
              headers: key === undefined ? [] : [['Idempotency-Key', `${key}-${String(index)}`]],
              json: { title: `Race ${String(index)}`, isbn: value },
            }),
          ),
        );
        expect(statuses(answers)).toEqual([201, ...Array<number>(31).fill(409)]);
        const bodies = answers.filter(({ status }) => status === 409).map((answer) => answer.json());
        expect(bodies).toEqual(Array(31).fill(isbn));
      },
    );

    it('a conflict does not fail concurrent writes of other values', async () => {
      const [client] = under.database.clients;
      await made({ title: 'Taken', isbn: 'taken' });
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, index) =>
          client.post('/books', { title: 'Group', isbn: index % 4 === 0 ? 'taken' : `group ${String(index)}` }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map((_, index) => (index % 4 === 0 ? 409 : 201)));
    });

    it('one of concurrent replacements to one value succeeds', async () => {
      const { clients } = under.database;
      const ids = await Promise.all(Array.from({ length: 8 }, (_, index) => made({ title: `Move ${String(index)}` })));
      const answers = await Promise.all(
        ids.map((id, index) =>
          (clients[index % 2] as HttpClient).put(`/books/${id}`, { title: 'Moved', isbn: 'move' }),
        ),
      );
      expect(statuses(answers)).toEqual([200, ...Array<number>(7).fill(409)]);
    });

    it('a write by tx is refused with the same error, and the transaction is undone', async () => {
      const [service] = under.database.both;
      const members = service.app.get<CollectionService<{ id: string }, FormerBook>>(collectionToken(books), {
        strict: false,
      });
      await made({ title: 'Tx', isbn: 'tx' });
      const writing = members.transaction(async (tx) => {
        await members.insert(tx, { title: 'Undone', isbn: 'tx 2', shelf: null, slot: null });
        await members.insert(tx, { title: 'Refused', isbn: 'tx' });
      });
      await expect(writing).rejects.toMatchObject({ status: 409, ...conflictOf(isbn) });
      expect(await post({ title: 'x', isbn: 'tx 2' })).toBe(201);
    });

    it('below a parent a key holds within the parent, or across all parents', async () => {
      const [client, other] = under.database.clients;
      const [ada = '', bob = ''] = await Promise.all(
        ['ada', 'bob'].map(async (username) => {
          const user = await client.post('/users', { username, password: 'correct horse battery' });
          return (user.json() as { id: string }).id;
        }),
      );
      const note = async (user: string, json: object): Promise<unknown[]> => {
        const answer = await other.post(`/users/${user}/notes`, json);
        return [answer.status, (answer.json() as { error?: string }).error];
      };
      expect(await note(ada, { name: 'a', code: '1' })).toEqual([201, undefined]);
      expect(await note(bob, { name: 'a', code: '2' })).toEqual([201, undefined]);
      expect(await note(ada, { name: 'a', code: '3' })).toEqual([409, 'Another note has this name.']);
      expect(await note(bob, { name: 'b', code: '1' })).toEqual([409, 'Another note has this code.']);
    });

    it('the document lists the code of the conflict for POST and PUT', async () => {
      const document = (await under.database.clients[0].get('/openapi.json')).json() as {
        components: { schemas: { ErrorCode: { enum: string[] } } };
        paths: Record<string, Record<string, { responses: object }>>;
      };
      expect(document.components.schemas.ErrorCode.enum).toContain('not_unique');
      expect(document.paths['/books/{id}']?.['put']?.responses).toHaveProperty('409');
      expect(document.paths['/books/{id}']?.['delete']?.responses).not.toHaveProperty('409');
    });
  },
);

function conflictOf(body: object): object {
  const { error, ...rest } = body as { error: string };
  return { message: error, ...rest };
}

onBothDatabases(
  'A unique key that is added later',
  (config) => Promise.resolve(new StartedServices(config)),
  (under) => {
    const start = (collections: object[], migrations: Migration[] = []): Promise<StartedService> =>
      under.database.start({ collections: collections as [typeof books], migrations });
    const failure = async (collections: object[], migrations: Migration[] = []): Promise<Error> =>
      start(collections, migrations).then(
        () => Promise.reject(new Error('It has started')),
        (error: unknown) => error as Error,
      );

    it('is part of the printed migration, and ten members that conflict are named', async () => {
      const older = await start([unkeyed]);
      const ids: string[] = [];
      for (let count = 0; count < 12; count++) {
        const answer = await older.admin.post('/books', { title: 'Same', isbn: 'same', slot: count });
        ids.push((answer.json() as { id: string }).id);
      }
      const listed = `Members of the collection "books" have the same isbn, which must be unique: ${ids.slice(0, 10).join(', ')}.`;

      const missing = (await failure([books])) as MissingMigrationError;
      expect(missing.message).toContain(listed);
      const { migration } = missing;
      expect(migration.name).toBe('books_add_unique_shelf_title_add_unique_isbn_add_unique_slot');
      const refused = await failure([books], [migration]);
      expect([refused.name, refused.message]).toEqual([
        'StartRefusedError',
        `${listed} Change or delete them, and start again.`,
      ]);

      for (const id of ids.slice(1)) await older.admin.delete(`/books/${id}`);
      const newer = await start([books], [migration]);
      expect((await newer.admin.post('/books', { title: 'x', isbn: 'same' })).json()).toEqual(isbn);
      // The older instance, without the key, still runs.
      const conflicts = [
        await older.admin.post('/books', { title: 'x', isbn: 'same' }),
        await older.admin.put(`/books/${await madeBy(older, { title: 'y', shelf: 'Y' })}`, {
          title: 'x',
          isbn: 'same',
        }),
        await older.admin.post('/books', { title: 'y', shelf: 'Y' }),
      ];
      expect(conflicts.map((answer) => [answer.status, answer.json()])).toEqual([
        [409, isbn],
        [409, isbn],
        [409, shelfAndTitle],
      ]);
      await newer.stop();
      await older.stop();

      const { migration: back } = (await failure([unkeyed], [migration])) as MissingMigrationError;
      expect(back.name).toBe('books_drop_unique_isbn_drop_unique_shelf_title_drop_unique_slot');
      const last = await start([unkeyed], [migration, back]);
      expect((await last.admin.post('/books', { title: 'x', isbn: 'same' })).status).toBe(201);
      await last.stop();
    });
  },
);

async function madeBy({ admin }: StartedService, book: object): Promise<string> {
  return ((await admin.post('/books', book)).json() as { id: string }).id;
}

onBothDatabases(
  'A unique key that no index can decide',
  (config) => Promise.resolve(new StartedServices(config)),
  (under) => {
    class Long {
      @Text({ max: 150 }) title!: string;
      @Text({ max: 51 }) shelf!: string;
    }

    it.each([
      [['title', 'shelf'], 'allows 201 characters: the texts of a key have together at most 200 characters'],
      [['author'], 'needs a field "author", and the collection has none'],
      [['title', 'title'], 'names a field twice'],
      [[], 'needs a field'],
    ])('%j stops the start', async (fields, problem) => {
      const long = collection({ name: 'longs', singular: 'long', input: Long, unique: [fields as ['title']] });
      await expect(under.database.start({ collections: [long] })).rejects.toMatchObject({
        name: 'StartRefusedError',
        message: `The unique key "${fields.join(', ')}" of the collection "longs" ${problem}.`,
      });
    });
  },
);
