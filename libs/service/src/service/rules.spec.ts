import { ConflictError, ForbiddenError, NotFoundError, ValidationError } from '@items/conventions';
import { Choice, DefaultsTo, Filterable, Integer, NestedList, Optional, ReadOnly, Sortable, Text } from '@items/fields';
import { type Answer, HttpClient, onBothDatabases } from '@items/testing';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { FastifyReply } from 'fastify';

import { transferable } from '../admin/import-export/transferable.js';
import { collectionToken } from '../http/nest/collection-token.js';
import type { Transaction } from '../data/database/database.js';
import type { RuleCaller } from '../data/database/origin.js';
import { collection } from '../index.js';
import { type StartedService, startForTest, StartedServices } from './started-services.testing.js';

class ChapterInput {
  @Text({ min: 1, max: 50 }) title!: string;
  @ReadOnly() @Integer({ min: 1, max: 100 }) number!: number;
}
class BookInput {
  @Sortable() @Text({ min: 1, max: 200, trim: true }) title!: string;
  @NestedList(() => ChapterInput, { min: 0, max: 10 }) chapters!: ChapterInput[];
}
class BookFields {
  @Filterable() @DefaultsTo('shelved') @Choice(['shelved', 'lent']) status!: 'shelved' | 'lent';
  @Sortable() @Optional() @Integer({ min: 0, max: 100 }) times_lent!: number | null;
}
class LoanInput {
  @Filterable() @Text({ min: 36, max: 36 }) book_id!: string;
  @Text({ min: 1, max: 50 }) reader!: string;
}

/** Actions of the rules, which each test sets. */
const acts: { create?: () => unknown; caller?: RuleCaller; runs: number } = { runs: 0 };

const books = collection({
  name: 'books',
  singular: 'book',
  input: BookInput,
  fields: BookFields,
  events: true,
  kinds: ['lent'],
  rules: {
    create: async ({ chapters }, { caller }) => {
      acts.runs += 1;
      acts.caller = caller;
      await Promise.resolve();
      const numbered = chapters.map(({ title }, index) => ({ title, number: index + 1 }));
      return { times_lent: 0, chapters: numbered, ...(acts.create?.() as object | undefined) };
    },
    replace: ({ title, chapters }, before, { caller }) => {
      if (before.status === 'lent' && !caller.isAdmin) throw new ForbiddenError('A lent book is changed by staff.');
      if (title === before.title) return undefined;
      return { chapters: chapters.map((chapter) => ({ title: chapter.title, number: 9 })) };
    },
    remove: async (before, { tx }) => {
      const open = await loans.list(tx, { filter: { book_id: before.id }, limit: 1 });
      if (open.length > 0) throw new ConflictError('book_lent', 'A lent book cannot be deleted.');
    },
  },
});
const loans = collection({
  name: 'loans',
  singular: 'loan',
  input: LoanInput,
  events: true,
  parent: 'users',
  onDelete: 'keep',
  rules: {
    create: async ({ book_id: id }, { tx, parent }) => {
      const { status, times_lent: times } = await books.get(tx, id);
      await new Promise((resolve) => setTimeout(resolve, 2));
      if (status === 'lent') throw new ConflictError('book_lent', 'The book is lent.');
      if (parent['user_id'] === undefined) throw new Error('The rule has no parent.');
      await books.update(tx, id, { status: 'lent', times_lent: (times ?? 0) + 1 }, { kind: 'lent' });
    },
    remove: async ({ book_id: id }, { tx }) => {
      await books.update(tx, id, { status: 'shelved' });
    },
  },
});
const emma = { title: 'Emma', chapters: [{ title: 'One' }, { title: 'Two' }] };

interface Book {
  readonly id: string;
  readonly status: string;
}

onBothDatabases(
  'Rules of a collection',
  async (config) => {
    const services = new StartedServices(config);
    const service = await services.start({ collections: [books, loans] });
    return { service, close: () => services.close() };
  },
  (under) => {
    const service = (): StartedService => under.database.service;
    const client = (): HttpClient => service().admin;
    const bodyOf = (answer: Answer): object => answer.json() as object;
    const made = async (body: object = emma): Promise<Book> => (await client().post('/books', body)).json() as Book;
    const inTransaction = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
      service()
        .app.get<{ transaction: (work: (tx: Transaction) => Promise<T>) => Promise<T> }>(collectionToken(books), {
          strict: false,
        })
        .transaction(work);
    const reader = async (scopes: string[], role = 'member'): Promise<{ id: string; client: HttpClient }> => {
      const username = `reader${String(Math.random()).slice(2, 10)}`;
      const password = 'correct horse battery';
      const { id } = (await client().post('/users', { username, password, role })).json() as { id: string };
      const basic = Buffer.from(`${username}:${password}`).toString('base64');
      const own = new HttpClient({ baseUrl: service().url, headers: [['Authorization', `Basic ${basic}`]] });
      const { key } = (await own.post('/api-keys', { name: 'k', scopes })).json() as { key: string };
      return { id, client: new HttpClient({ baseUrl: service().url, headers: [['X-API-Key', key]] }) };
    };

    beforeEach(() => {
      acts.runs = 0;
      delete acts.create;
    });

    it('set fields after those of the input, which clients cannot set', async () => {
      const answer = await client().post('/books', {
        ...emma,
        status: 'lent',
        times_lent: 50,
        chapters: [{ title: 'One', number: 77 }],
      });
      expect([answer.status, answer.text]).toEqual([
        201,
        expect.stringMatching(
          /^\{"id":"[^"]+","title":"Emma","chapters":\[\{"title":"One","number":1\}\],"status":"shelved","times_lent":0,"created_at"/,
        ),
      ]);
      const { id } = answer.json() as Book;
      const replaced = await client().put(`/books/${id}`, { ...emma, title: 'Persuasion', status: 'lent' });
      expect(replaced.json()).toMatchObject({
        status: 'shelved',
        times_lent: 0,
        chapters: [{ number: 9 }, { number: 9 }],
      });
      expect((await client().get(`/books/${id}`)).text).toBe(replaced.text);
    });

    it('set fields by which lists are filtered and sorted', async () => {
      await inTransaction(async (tx) => {
        for (const times of [3, 2, 1]) {
          await books.insert(tx, { ...emma, chapters: [], status: 'lent', times_lent: times });
        }
      });
      const page = (await client().get('/books?status=lent&sort=times_lent&page=1')).json() as {
        books: { times_lent: number }[];
        total: number;
      };
      expect([page.books.map((book) => book.times_lent), page.total]).toEqual([[1, 2, 3], 3]);
    });

    it('know the caller', async () => {
      await made();
      expect(acts.caller).toMatchObject({ userId: null, credentialId: 'admin', clientId: null, isAdmin: true });
      const { id, client: own } = await reader(['books:write']);
      expect((await own.post('/books', emma)).status).toBe(201);
      expect(acts.caller).toMatchObject({ userId: id, clientId: null, isAdmin: false });
      expect([...(acts.caller?.scopes ?? [])]).toEqual(['books:write']);
    });

    it.each([
      [
        'ValidationError',
        new ValidationError([{ field: 'title', code: 'banned', message: 'No.' }]),
        422,
        'validation_failed',
      ],
      ['ConflictError', new ConflictError('sold_out', 'Sold out.'), 409, 'sold_out'],
      ['ForbiddenError', new ForbiddenError('Not you.'), 403, 'forbidden'],
      ['NotFoundError', new NotFoundError('No shelf.'), 404, 'not_found'],
      ['HttpException', new HttpException('Tea only.', 418), 418, 'im_a_teapot'],
      ['Error', new Error('oops'), 500, 'internal_error'],
    ])('refuse by an error: %s', async (_name, error, status, code) => {
      acts.create = () => {
        throw error;
      };
      const before = (await client().get('/books?page=1')).json() as { total: number };
      const refused = await client().post('/books', emma);
      expect([refused.status, refused.json()]).toMatchObject([status, { code }]);
      if (status < 500) expect(refused.json()).toMatchObject({ error: error.message });
      expect((await client().get('/books?page=1')).json()).toMatchObject({ total: before.total });
    });

    it.each([
      ['an undeclared field', { colour: 'red' }],
      ['an invalid value', { status: 'burnt' }],
      ['a value of another type', { times_lent: 'often' }],
      ['an invalid nested value', { chapters: [{ title: 'One' }] }],
      ['no value for a nested field of the service', { chapters: undefined }],
      ['the id', { id: '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27' }],
      ['null for a field that cannot be null', { status: null }],
    ])('a rule with an invalid result is an error of the service: %s', async (_name, result) => {
      acts.create = () => result;
      expect((await client().post('/books', emma)).status).toBe(500);
    });

    it('leave a field unchanged if they set undefined', async () => {
      acts.create = () => ({ title: undefined, status: undefined, times_lent: undefined });
      expect(await made()).toMatchObject({ title: 'Emma', status: 'shelved', times_lent: null });
      const { id } = await made();
      expect((await client().put(`/books/${id}`, emma)).json()).toMatchObject({ status: 'shelved', times_lent: null });
    });

    it('run for PUT after the check of If-Match, on the state before', async () => {
      const { id } = await made();
      const stale = await client().send('PUT', `/books/${id}`, { headers: [['If-Match', '"x"']], json: emma });
      expect(stale.status).toBe(412);
      await inTransaction((tx) => books.update(tx, id, { status: 'lent' }));
      const { client: own } = await reader(['books:write']);
      const refused = await own.put(`/books/${id}`, emma);
      expect([refused.status, refused.json()]).toEqual([
        403,
        { error: 'A lent book is changed by staff.', code: 'forbidden' },
      ]);
      expect((await client().put(`/books/${id}`, emma)).status).toBe(200);
    });

    it('read and write other collections, with the caller as the actor of events and records', async () => {
      const { id } = await made();
      const { id: userId, client: own } = await reader(['loans:write', 'loans:read', 'books:write']);
      const loan = await own.post('/users/me/loans', { book_id: id, reader: 'Ann' });
      expect([loan.status, loan.json()]).toMatchObject([201, { user_id: userId }]);
      expect((await client().get(`/books/${id}`)).json()).toMatchObject({ status: 'lent', times_lent: 1 });
      expect(bodyOf(await own.post('/users/me/loans', { book_id: id, reader: 'Ann' }))).toMatchObject({
        code: 'book_lent',
      });
      expect(bodyOf(await own.delete(`/books/${id}`))).toMatchObject({ code: 'book_lent' });
      const { id: loanId } = loan.json() as Book;
      expect((await own.delete(`/users/me/loans/${loanId}`)).status).toBe(204);
      expect((await own.delete(`/books/${id}`)).status).toBe(204);

      let records: { type: string; actor: { user_id: string | null }; changed: string[] }[] = [];
      // On PostgreSQL, the feed lists a record after all older transactions of the server have ended.
      for (let reads = 0; reads < 20 && records.length < 4; reads += 1) {
        const page = await client().get(`/audit-events?object_id=${id}${reads === 0 ? '' : '&wait=2'}`);
        records = (page.json() as { audit_events: typeof records }).audit_events;
      }
      expect(records.map(({ type, actor, changed }) => [type, actor.user_id, changed])).toEqual([
        ['book.created', null, []],
        ['book.lent', userId, ['status', 'times_lent']],
        ['book.updated', userId, ['status']],
        ['book.deleted', userId, []],
      ]);
      const { events } = (await client().get('/events?type=book.lent')).json() as {
        events: { data: { object: Book; previous: object } }[];
      };
      expect(events.map(({ data }) => data)).toMatchObject([
        { object: { id, status: 'lent' }, previous: { status: 'shelved', times_lent: 0 } },
      ]);
    });

    it('see each other: of many loans of one book, one is made', async () => {
      const { id } = await made();
      const { client: own } = await reader(['loans:write']);
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => own.post('/users/me/loans', { book_id: id, reader: 'Ann' })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
      expect((await client().get(`/books/${id}`)).json()).toMatchObject({ times_lent: 1 });
    });

    it('do not run for a replayed Idempotency-Key, and leave no record if they refuse', async () => {
      const send = (): Promise<Answer> =>
        client().send('POST', '/books', { headers: [['Idempotency-Key', 'once']], json: emma });
      acts.create = () => {
        throw new ConflictError('sold_out', 'Sold out.');
      };
      expect((await send()).status).toBe(409);
      delete acts.create;
      const first = await send();
      const again = await send();
      expect([first.status, again.status, again.text, acts.runs]).toEqual([201, 201, first.text, 2]);
    });

    it('rules that take more than 4.5 s are 503, and write nothing', async () => {
      acts.create = () => new Promise(() => undefined);
      const slow = collection({
        name: 'slow_books',
        singular: 'slow book',
        input: LoanInput,
        rules: { create: () => new Promise<undefined>(() => undefined) },
      });
      const services = new StartedServices(under.config);
      const { admin } = await services.start({ collections: [slow] });
      try {
        const late = await admin.post('/slow-books', { book_id: 'x'.repeat(36), reader: 'Ann' });
        expect(late.status).toBe(503);
        expect((await admin.get('/slow-books?page=1')).json()).toMatchObject({ total: 0 });
      } finally {
        await services.close();
      }
    });

    it('do not run for writes by tx, which are validated', async () => {
      const fields = { ...emma, chapters: [{ title: 'One', number: 4 }] };
      const book = await inTransaction((tx) => books.insert(tx, fields));
      expect([book.status, book.times_lent, acts.runs]).toEqual(['shelved', null, 0]);
      const wrong = [
        (tx: Transaction) => books.insert(tx, { ...fields, title: 5 as never }),
        (tx: Transaction) => books.insert(tx, { title: 'Emma' }),
        (tx: Transaction) => books.update(tx, book.id, { status: 'burnt' as never }),
        (tx: Transaction) => books.update(tx, book.id, { colour: 'red' } as never),
      ];
      for (const work of wrong) await expect(inTransaction(work)).rejects.toThrow(ValidationError);
      await expect(inTransaction((tx) => books.update(tx, book.id, {}, { kind: 'burnt' }))).rejects.toThrow(
        '"burnt" is not an event kind of "books"',
      );
    });

    it('have their statuses in the document', async () => {
      const { paths, components } = (await client().get('/openapi.json')).json() as {
        paths: Record<string, Record<string, { responses: Record<string, object> }>>;
        components: { schemas: Record<string, object> };
      };
      const statuses = (path: string, method: string): string[] => Object.keys(paths[path]?.[method]?.responses ?? {});
      expect(statuses('/books', 'post')).toEqual(expect.arrayContaining(['403', '404', '409']));
      expect(statuses('/books/{id}', 'delete')).toContain('409');
      expect(statuses('/users/{user_id}/loans/{id}', 'put')).not.toContain('409');
      expect(components.schemas['ErrorCode']).not.toHaveProperty('enum');
    });

    it('do not run for imports, which read the fields of the service', async () => {
      const book = await inTransaction((tx) =>
        books.insert(tx, { title: 'Emma', chapters: [{ title: 'One', number: 4 }], times_lent: 7 }),
      );
      const { fields } = transferable(books).read(book);
      expect(fields).toMatchObject({ status: 'shelved', times_lent: 7, chapters: [{ title: 'One', number: 4 }] });
      expect(() => transferable(books).read(Object.assign({}, book, { status: 'burnt' }))).toThrow(ValidationError);
    });

    it('read, list and delete by tx', async () => {
      const titles = await inTransaction(async (tx) => {
        const ids: string[] = [];
        for (const title of ['Zorro', 'Ziggy', 'Zelda']) ids.push((await books.insert(tx, { title, chapters: [] })).id);
        await books.delete(tx, ids[1] ?? '');
        expect([...(await books.getAll(tx, ids)).keys()].sort()).toEqual([ids[0], ids[2]].sort());
        expect(await books.get(tx, ids[0] ?? '')).toMatchObject({ title: 'Zorro' });
        const query = { filter: { status: ['shelved', 'lent'] }, sort: '-title', limit: 2 } as const;
        return (await books.list(tx, query)).map(({ title }) => title);
      });
      expect(titles).toEqual(['Zorro', 'Zelda']);
      await expect(inTransaction((tx) => books.get(tx, '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27'))).rejects.toMatchObject({
        status: 404,
        code: 'book_not_found',
      });
      for (const query of [{ filter: { title: 'x' } }, { sort: 'status' }, { limit: 0 }]) {
        await expect(inTransaction((tx) => books.list(tx, query))).rejects.toThrow(Error);
      }
      await expect(books.get(undefined as never, 'x')).rejects.toThrow('needs the tx');
    });
  },
);

it('A global filter catches the errors of rules', async () => {
  @Catch(HttpException)
  class Filter implements ExceptionFilter {
    catch(exception: HttpException, host: ArgumentsHost): void {
      const body = exception.getResponse() as object;
      void host
        .switchToHttp()
        .getResponse<FastifyReply>()
        .code(exception.getStatus())
        .send({ ...body, caught: true });
    }
  }
  @Module({ providers: [{ provide: APP_FILTER, useClass: Filter }] })
  class FilterModule {}
  const refusing = collection({
    name: 'tomes',
    singular: 'tome',
    input: LoanInput,
    rules: {
      create: () => {
        throw new ConflictError('sold_out', 'Sold out.');
      },
    },
    ruleErrors: { create: [new ConflictError('sold_out', 'Sold out.')] },
  });
  const service = await startForTest({ collections: [refusing], modules: [FilterModule] });
  try {
    const refused = await service.admin.post('/tomes', { book_id: 'x'.repeat(36), reader: 'Ann' });
    expect([refused.status, refused.json()]).toEqual([409, { error: 'Sold out.', code: 'sold_out', caught: true }]);
    const { components } = (await service.admin.get('/openapi.json')).json() as {
      components: { schemas: { ErrorCode: { enum: string[] } } };
    };
    expect(components.schemas.ErrorCode.enum).toContain('sold_out');
  } finally {
    await service.stop();
  }
});

describe('The definition of a collection with rules', () => {
  const named = { name: 'books', singular: 'book', input: BookInput, events: true } as const;

  it('refuses a rule without effect', () => {
    expect(() => collection({ ...named, methods: ['list', 'get'], rules: { create: () => ({}) } })).toThrow(
      'The rule "create" of "books" never runs',
    );
    expect(() => collection({ ...named, rules: { delete: () => ({}) } as never })).toThrow('"delete"');
    class Required {
      @Text({ max: 5 }) state!: string;
    }
    expect(() => collection({ ...named, fields: Required })).toThrow('Nothing sets the field "state" of "books"');
    expect(() => collection({ ...named, events: false, kinds: ['lent'] })).toThrow('without events');
    expect(() => collection({ ...named, kinds: ['Lent Out'] })).toThrow('"Lent Out"');
  });

  it('stops the start if nothing sets a field of a nested class', async () => {
    const start = (chapters: ReturnType<typeof collection>): Promise<StartedService> =>
      startForTest({ collections: [chapters] });
    await expect(start(collection(named) as never)).rejects.toMatchObject({
      name: 'StartRefusedError',
      message:
        'Nothing sets the field "chapters.number" of "books" at its creation: add a rule that sets it, or @Optional().',
    });
    await (await start(collection({ ...named, methods: ['list', 'get'] }))).stop();
  });

  it('refuses fields of the service with names of others', () => {
    class Same {
      @Text({ max: 5 }) title!: string;
    }
    class OfRows {
      @Text({ max: 5 }) created_at!: string;
    }
    expect(() => collection({ ...named, fields: Same })).toThrow('"title" has the name of another field');
    expect(() => collection({ ...named, fields: OfRows })).toThrow('"created_at"');
  });
});
