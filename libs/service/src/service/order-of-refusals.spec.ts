import { ForbiddenError } from '@items/conventions';
import { Optional, Reference, Text } from '@items/fields';
import { type Answer, type HttpClient, onBothDatabases } from '@items/testing';

import { collection } from '../index.js';
import { StartedServices } from './started-services.testing.js';

class AuthorInput {
  @Text({ min: 1, max: 50 }) name!: string;
}
const authors = collection({ name: 'authors', singular: 'author', input: AuthorInput });
class BookInput {
  @Text({ min: 1, max: 50 }) title!: string;
  @Optional() @Text({ max: 20 }) isbn!: string | null;
  @Reference(authors) author_id!: string;
}
const unique = ['isbn', 'title'] as const;
const books = collection({ name: 'books', singular: 'book', input: BookInput, unique });

/** Whether the rules refuse their write. */
const acts = { refuse: false, deleteNotes: false };
const refuse = (): undefined => {
  if (acts.refuse) throw new ForbiddenError('Closed today.');
  return undefined;
};
const ruled = collection({
  name: 'ruled_books',
  singular: 'ruled book',
  input: BookInput,
  unique,
  rules: {
    create: async ({ author_id: id }, { tx }) => {
      await authors.get(tx, id);
      return refuse();
    },
    replace: refuse,
    remove: async ({ id }, { tx }) => {
      refuse();
      if (!acts.deleteNotes) return;
      for (const note of await notes.list(tx, { filter: { ruled_book_id: id } })) await notes.delete(tx, note.id);
    },
  },
});
class NoteInput {
  @Text({ max: 50 }) text!: string;
}
const notes = collection({ name: 'notes', singular: 'note', input: NoteInput, parent: ruled });

const UNKNOWN_ID = '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27';
const stale = { headers: [['If-Match', '"stale"']] as [string, string][] };
const codes = (answer: Answer): unknown[] => {
  const { code, details = [] } = answer.json() as { code: string; details?: { field: string; code: string }[] };
  return [answer.status, code, ...details.map((detail) => `${detail.field} ${detail.code}`)];
};
const unknownAuthor = [422, 'validation_failed', 'author_id unknown_reference'];
const takenIsbn = [409, 'not_unique', 'isbn not_unique'];
const refused = [403, 'forbidden'];

onBothDatabases(
  'The order of refusals',
  async (config) => {
    const services = new StartedServices(config);
    const { admin } = await services.start({ collections: [authors, books, ruled, notes] });
    return { client: admin, close: () => services.close() };
  },
  (under) => {
    const client = (): HttpClient => under.database.client;
    const made = async (path: string, json: object): Promise<string> => {
      const answer = await client().post(path, json);
      expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
      return (answer.json() as { id: string }).id;
    };
    const author = (): Promise<string> => made('/authors', { name: 'Austen' });

    beforeEach(() => {
      acts.refuse = false;
      acts.deleteNotes = false;
    });

    it.each(['/books', '/ruled-books'])('PUT %s finds an unknown reference after 404 and before 412', async (path) => {
      const book = { title: `Emma ${path}`, author_id: await author() };
      const id = await made(path, book);
      const put = async (member: string, json: object): Promise<unknown[]> =>
        codes(await client().send('PUT', `${path}/${member}`, { ...stale, json }));
      const lost = { ...book, author_id: UNKNOWN_ID };
      expect(await put(UNKNOWN_ID, lost)).toEqual([404, path === '/books' ? 'book_not_found' : 'ruled_book_not_found']);
      expect(await put(id, lost)).toEqual(unknownAuthor);
      expect(await put(id, book)).toEqual([412, 'precondition_failed']);
    });

    it('an unknown reference and a conflict come before the error of a rule', async () => {
      const author_id = await author();
      await made('/ruled-books', { title: 'Taken', isbn: '1', author_id });
      const id = await made('/ruled-books', { title: 'Mine', author_id });
      acts.refuse = true;
      const bodies = [
        { title: 'Taken', isbn: '1', author_id: UNKNOWN_ID },
        { title: 'Taken', isbn: '1', author_id },
        { title: 'Free', isbn: '2', author_id },
      ];
      for (const send of [
        (json: object) => client().post('/ruled-books', json),
        (json: object) => client().put(`/ruled-books/${id}`, json),
      ]) {
        const answers: Answer[] = [];
        for (const json of bodies) answers.push(await send(json));
        expect(answers.map(codes)).toEqual([unknownAuthor, takenIsbn, refused]);
      }
    });

    it('a rule that reads the target of an unknown reference does not make it 404', async () => {
      const answer = await client().post('/ruled-books', { title: 'Lost', author_id: UNKNOWN_ID });
      expect(codes(answer)).toEqual(unknownAuthor);
    });

    it('has_children comes before the error of a rule, unless the rule has deleted the children', async () => {
      const id = await made('/ruled-books', { title: 'Parent', author_id: await author() });
      const childless = await made('/ruled-books', { title: 'Childless', author_id: await author() });
      await made(`/ruled-books/${id}/notes`, { text: 'x' });
      acts.refuse = true;
      expect(codes(await client().delete(`/ruled-books/${childless}`))).toEqual(refused);
      expect(codes(await client().delete(`/ruled-books/${id}`))).toEqual([409, 'has_children']);
      Object.assign(acts, { refuse: false, deleteNotes: true });
      expect((await client().delete(`/ruled-books/${id}`)).status).toBe(204);
    });
  },
);
