import { Filterable, Optional, Reference, Text } from '@items/fields';
import { HttpClient, onBothDatabases } from '@items/testing';

import { defineCollection } from '../data/definition/define-collection.js';
import { collection } from '../index.js';
import { type StartedService, StartedServices } from './started-services.testing.js';

type Answer = Awaited<ReturnType<HttpClient['get']>>;

class AuthorInput {
  @Text({ min: 1, max: 100 }) name!: string;
}
const authors = collection({ name: 'authors', singular: 'author', input: AuthorInput, events: true });
class NoteInput {
  @Text({ max: 100 }) text!: string;
}
const notes = collection({ name: 'notes', singular: 'note', input: NoteInput, parent: 'users' });
class BookInput {
  @Text({ min: 1, max: 100 }) title!: string;
  @Filterable() @Reference(authors) author_id!: string;
  @Optional() @Reference(() => authors, { onDelete: 'keep' }) editor_id!: string | null;
  @Optional() @Reference(notes, { onDelete: 'keep' }) note_id!: string | null;
}
const books = collection({ name: 'books', singular: 'book', input: BookInput, events: true });
class ShelfInput {
  @Optional() @Reference(() => shelves) above_id!: string | null;
  @Optional() @Reference(authors) author_id!: string | null;
}
const shelves: ReturnType<typeof collection<ShelfInput>> = collection({
  name: 'shelves',
  singular: 'shelf',
  input: ShelfInput,
});
class ChapterInput {
  @Text({ min: 1, max: 100 }) title!: string;
}
const chapters = collection({
  name: 'book_chapters',
  singular: 'chapter',
  input: ChapterInput,
  parent: books,
  unique: ['title'],
  events: true,
});
const collections = [authors, notes, books, shelves, chapters];
const UNKNOWN_ID = '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27';

onBothDatabases(
  'Members that refer to others',
  async (config) => {
    const services = new StartedServices(config);
    const start = (): Promise<StartedService> =>
      services.start({ collections, roles: { clerk: ['books:read', 'books:write', 'notes:read'] } });
    const both = [await start(), await start()] as const;
    return { both, clients: both.map(({ admin }) => admin) as [HttpClient, HttpClient], close: () => services.close() };
  },
  (under) => {
    const made = async (path: string, json: object): Promise<string> => {
      const answer = await under.database.clients[0].post(path, json);
      expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
      return (answer.json() as { id: string }).id;
    };
    const author = (): Promise<string> => made('/authors', { name: 'Austen' });
    const code = (answer: Answer): unknown[] => {
      const body = answer.status < 300 ? {} : (answer.json() as Record<string, unknown>);
      return [answer.status, body['code'], body['error'], body['details']];
    };
    const unknown = (field: string, singular = 'author'): unknown[] => {
      const message = `"${field}" is the id of no ${singular}.`;
      return [422, 'validation_failed', message, [{ field, code: 'unknown_reference', message }]];
    };
    const userKey = async (username: string, role: string): Promise<{ id: string; client: HttpClient }> => {
      const [admin] = under.database.clients;
      const password = 'correct horse battery';
      const user = (await admin.post('/users', { username, password, role })).json() as { id: string };
      const basic = Buffer.from(`${username}:${password}`).toString('base64');
      const [service] = under.database.both;
      return {
        id: user.id,
        client: new HttpClient({ baseUrl: service.url, headers: [['Authorization', `Basic ${basic}`]] }),
      };
    };

    it('POST and PUT refuse an id that does not exist, and name the first one', async () => {
      const [client, other] = under.database.clients;
      const id = await author();
      expect(code(await client.post('/books', { title: 'x', author_id: UNKNOWN_ID }))).toEqual(unknown('author_id'));
      expect(code(await client.post('/books', { title: 'x', author_id: UNKNOWN_ID, editor_id: UNKNOWN_ID }))).toEqual(
        unknown('author_id'),
      );
      expect(code(await client.post('/books', { title: 'x', author_id: id, editor_id: UNKNOWN_ID }))).toEqual(
        unknown('editor_id'),
      );
      expect(code(await client.post('/books', { title: 'x', author_id: 'no id' }))).toEqual(unknown('author_id'));
      const book = await made('/books', { title: 'x', author_id: id.toUpperCase() });
      expect((await client.get(`/books/${book}`)).json()).toMatchObject({ author_id: id, editor_id: null });
      expect(code(await other.put(`/books/${book}`, { title: 'x', author_id: UNKNOWN_ID }))).toEqual(
        unknown('author_id'),
      );
      expect((await other.put(`/books/${book}`, { title: 'y', author_id: id, editor_id: id })).status).toBe(200);
    });

    it('a referenced member is not deleted, and the sentence names the collection', async () => {
      const [client, other] = under.database.clients;
      const id = await author();
      const book = await made('/books', { title: 'x', author_id: id });
      const shelf = await made('/shelves', { author_id: id });
      const sentence = (table: string): string =>
        `Members of the collection "${table}" refer to this author. Change or delete those first.`;
      expect(code(await other.delete(`/authors/${id}`))).toEqual([409, 'has_references', sentence('books'), undefined]);
      await client.delete(`/books/${book}`);
      expect(code(await other.delete(`/authors/${id}`))).toEqual([
        409,
        'has_references',
        sentence('shelves'),
        undefined,
      ]);
      await client.put(`/shelves/${shelf}`, { author_id: null });
      expect((await other.delete(`/authors/${id}`)).status).toBe(204);
    });

    it("onDelete: 'keep' lets it be deleted, and an unchanged id is not checked again", async () => {
      const [client] = under.database.clients;
      const [id, editor] = [await author(), await author()];
      const book = await made('/books', { title: 'x', author_id: id, editor_id: editor });
      expect((await client.delete(`/authors/${editor}`)).status).toBe(204);
      const kept = { title: 'y', author_id: id, editor_id: editor };
      expect((await client.put(`/books/${book}`, kept)).json()).toMatchObject(kept);
      expect(code(await client.post('/books', kept))).toEqual(unknown('editor_id'));
    });

    it('a member may refer to itself', async () => {
      const [client] = under.database.clients;
      const above = await made('/shelves', {});
      const below = await made('/shelves', { above_id: above });
      expect((await client.put(`/shelves/${below}`, { above_id: below })).status).toBe(200);
      expect((await client.delete(`/shelves/${below}`)).status).toBe(204);
      expect((await client.delete(`/shelves/${above}`)).status).toBe(204);
    });

    it('is filtered by the reference, with an exact total', async () => {
      const [client] = under.database.clients;
      const id = await author();
      for (const title of ['a', 'b']) await made('/books', { title, author_id: id });
      expect((await client.get(`/books?author_id=${id}&page=1`)).json()).toMatchObject({ total: 2 });
      expect((await client.get(`/books?author_id=${UNKNOWN_ID}&page=1`)).json()).toMatchObject({ total: 0 });
    });

    it('a caller refers only to members that the caller may read', async () => {
      const id = await author();
      const clerk = await userKey('clerk', 'clerk');
      const member = await userKey('member', 'member');
      const note = await made(`/users/${member.id}/notes`, { text: 'Mine' });
      const own = await made(`/users/${clerk.id}/notes`, { text: 'Mine' });
      const book = { title: 'x', author_id: id };
      // A clerk has no scope to read authors.
      expect(code(await clerk.client.post('/books', book))).toEqual(unknown('author_id'));
      const existing = await made('/books', { ...book, note_id: own });
      expect((await clerk.client.put(`/books/${existing}`, { ...book, title: 'y', note_id: own })).status).toBe(200);
      // `note` belongs to another user.
      expect(code(await clerk.client.put(`/books/${existing}`, { ...book, note_id: note }))).toEqual(
        unknown('note_id', 'note'),
      );
      expect((await member.client.post('/books', { ...book, note_id: note })).status).toBe(201);
      expect(code(await member.client.post('/books', { ...book, note_id: own }))).toEqual(unknown('note_id', 'note'));
      expect((await under.database.clients[0].post('/books', { ...book, note_id: note })).status).toBe(201);
    });

    it.each([undefined, 'once'])('a reference racing with a deletion: exactly one succeeds (key: %s)', async (key) => {
      const [client, other] = under.database.clients;
      for (let round = 0; round < 12; round++) {
        const id = await author();
        const headers: [string, string][] = key === undefined ? [] : [['Idempotency-Key', `${key}-${String(round)}`]];
        const [book, deletion] = await Promise.all([
          client.send('POST', '/books', { headers, json: { title: 'Race', author_id: id } }),
          other.delete(`/authors/${id}`),
        ]);
        expect([
          [201, 409],
          [422, 204],
        ]).toContainEqual([book.status, deletion.status]);
      }
    });

    it('one of a concurrent deletion and change of a reference succeeds', async () => {
      const [client, other] = under.database.clients;
      const first = await author();
      const book = await made('/books', { title: 'x', author_id: first });
      for (let round = 0; round < 12; round++) {
        const id = await author();
        const [change, deletion] = await Promise.all([
          client.put(`/books/${book}`, { title: 'Race', author_id: id }),
          other.delete(`/authors/${id}`),
        ]);
        expect([
          [200, 409],
          [422, 204],
        ]).toContainEqual([change.status, deletion.status]);
      }
    });

    it('a refused reference leaves no record of its Idempotency-Key', async () => {
      const [client] = under.database.clients;
      const headers: [string, string][] = [['Idempotency-Key', 'later']];
      const send = (json: object): Promise<Answer> => client.send('POST', '/books', { headers, json });
      expect((await send({ title: 'x', author_id: UNKNOWN_ID })).status).toBe(422);
      const created = await send({ title: 'x', author_id: await author() });
      expect(created.status).toBe(201);
    });

    it('the document names the collection of a reference, and the codes', async () => {
      const document = (await under.database.clients[0].get('/openapi.json')).json() as {
        components: { schemas: Record<string, { properties: Record<string, { $ref?: string }>; enum?: string[] }> };
        paths: Record<string, Record<string, { responses: object }>>;
      };
      const { schemas } = document.components;
      const field = (schema: string, name: string): unknown => {
        const property = schemas[schema]?.properties[name];
        return property?.$ref === undefined ? property : schemas[property.$ref.split('/').at(-1) ?? ''];
      };
      expect(field('Book', 'author_id')).toMatchObject({ format: 'uuid', 'x-references': 'authors' });
      expect(field('Book', 'editor_id')).toMatchObject({ type: ['string', 'null'], 'x-references': 'authors' });
      expect(field('Chapter', 'book_id')).toMatchObject({ format: 'uuid', 'x-references': 'books' });
      expect(schemas['ErrorCode']?.enum).toEqual(expect.arrayContaining(['has_references', 'has_children']));
      expect(document.paths['/authors/{id}']?.['delete']?.responses).toHaveProperty('409');
      expect(document.paths['/books/{book_id}/book-chapters/{id}']).toBeDefined();
    });

    describe('below another collection', () => {
      const book = async (): Promise<string> => made('/books', { title: 'x', author_id: await author() });

      it('has the five operations, and a member of another parent is 404', async () => {
        const [client, other] = under.database.clients;
        const [id, another] = [await book(), await book()];
        const path = `/books/${id}/book-chapters`;
        const chapter = await made(path, { title: 'One' });
        const shown = { id: chapter, book_id: id, title: 'One' };
        expect((await other.get(`${path}/${chapter}`)).json()).toMatchObject(shown);
        expect((await other.get(`${path}?page=1`)).json()).toMatchObject({ book_chapters: [shown], total: 1 });
        expect((await other.get(`/books/${another}/book-chapters?page=1`)).json()).toMatchObject({ total: 0 });
        expect(code(await other.get(`/books/${another}/book-chapters/${chapter}`)).slice(0, 2)).toEqual([
          404,
          'chapter_not_found',
        ]);
        expect(code(await other.delete(`/books/${another}/book-chapters/${chapter}`)).slice(0, 2)).toEqual([
          404,
          'chapter_not_found',
        ]);
        // The key applies within the parent.
        expect((await client.post(`/books/${another}/book-chapters`, { title: 'One' })).status).toBe(201);
        expect(code(await client.post(path, { title: 'One' })).slice(0, 2)).toEqual([409, 'not_unique']);
        expect((await client.put(`${path}/${chapter}`, { ...shown, title: 'Two' })).json()).toMatchObject({
          title: 'Two',
        });
        expect((await client.delete(`${path}/${chapter}`)).status).toBe(204);
      });

      it.each([UNKNOWN_ID, 'x'])('the parent %s is 404 for every operation', async (id) => {
        const [client] = under.database.clients;
        const path = `/books/${id}/book-chapters`;
        const answers = [
          await client.get(path),
          await client.get(`${path}?page=1`),
          await client.post(path, { title: 'x' }),
          await client.get(`${path}/${UNKNOWN_ID}`),
          await client.put(`${path}/${UNKNOWN_ID}`, { title: 'x' }),
          await client.delete(`${path}/${UNKNOWN_ID}`),
        ];
        expect(answers.map((answer) => code(answer).slice(0, 2))).toEqual(answers.map(() => [404, 'book_not_found']));
      });

      it('a parent with members is not deleted', async () => {
        const [client, other] = under.database.clients;
        const id = await book();
        const chapter = await made(`/books/${id}/book-chapters`, { title: 'One' });
        expect(code(await other.delete(`/books/${id}`))).toEqual([
          409,
          'has_children',
          'This book has members of the collection "book_chapters". Delete those first.',
          undefined,
        ]);
        await client.delete(`/books/${id}/book-chapters/${chapter}`);
        expect((await other.delete(`/books/${id}`)).status).toBe(204);
        expect((await client.get(`/books/${id}/book-chapters?page=1`)).status).toBe(404);
      });

      it('scopes decide, and the parent has no owner', async () => {
        const id = await book();
        const viewer = await userKey('reader', 'viewer');
        const member = await userKey('writer', 'member');
        const path = `/books/${id}/book-chapters`;
        expect((await viewer.client.get(path)).status).toBe(200);
        expect((await viewer.client.post(path, { title: 'x' })).status).toBe(403);
        expect((await member.client.post(path, { title: 'x' })).status).toBe(201);
        const { events } = (await viewer.client.get('/events?type=chapter.created&limit=100')).json() as {
          events: object[];
        };
        expect(events).toContainEqual(
          expect.objectContaining({
            data: expect.objectContaining({ object: expect.objectContaining({ book_id: id }) as object }) as object,
          }),
        );
      });

      it.each([undefined, 'key'])(
        'a creation racing with the deletion of its parent: exactly one succeeds (key: %s)',
        async (key) => {
          const [client, other] = under.database.clients;
          for (let round = 0; round < 8; round++) {
            const id = await book();
            const headers: [string, string][] =
              key === undefined ? [] : [['Idempotency-Key', `${key}-${String(round)}`]];
            const [chapter, deletion] = await Promise.all([
              client.send('POST', `/books/${id}/book-chapters`, { headers, json: { title: 'Race' } }),
              other.delete(`/books/${id}`),
            ]);
            expect([
              [201, 409],
              [404, 204],
            ]).toContainEqual([chapter.status, deletion.status]);
          }
        },
      );
    });
  },
);

onBothDatabases(
  'A relation that cannot be kept',
  (config) => Promise.resolve(new StartedServices(config)),
  (under) => {
    class ToNotes {
      @Reference(notes) note_id!: string;
    }
    const toNotes = collection({ name: 'pages', singular: 'page', input: ToNotes });
    const belowChapters = collection({ name: 'pages', singular: 'page', input: ChapterInput, parent: chapters });

    it.each([
      [
        [notes, toNotes],
        `The collection "pages" refers by "note_id" to "notes", whose members belong to users: add { onDelete: 'keep' } to @Reference().`,
      ],
      [
        [toNotes],
        'The collection "pages" refers by "note_id" to the collection "notes" that the service does not have: add it to collections.',
      ],
      [
        [...collections, belowChapters],
        'The collection "pages" cannot be below "book_chapters": a collection with a parent is no parent.',
      ],
      [
        [...collections, defineCollection({ name: 'pages', singular: 'page', dto: NoteInput, parent: 'chapter_id' })],
        'The collection "pages" has the column "chapter_id" of a parent that it does not name: give collection() the parent, or serve it by a controller of your own and add it to "others" of ServiceModule.forFeature().',
      ],
    ])('stops the start (%#)', async (all, message) => {
      await expect(under.database.start({ collections: all })).rejects.toMatchObject({
        name: 'StartRefusedError',
        message,
      });
    });

    it("members below another collection cannot outlive it (onDelete: 'keep')", () => {
      expect(() =>
        collection({ name: 'pages', singular: 'page', input: NoteInput, parent: books, onDelete: 'keep' }),
      ).toThrow(`Members below "books" cannot outlive their book: onDelete: 'keep' needs parent: 'users'.`);
    });
  },
);
