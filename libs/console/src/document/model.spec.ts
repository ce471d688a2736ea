import { mayCall, type Me } from './access.js';
import { modelOf } from './model.js';
import type { ApiDocument, Operation } from './openapi.js';

const page = (row: object, listName: string): Operation['responses'] => ({
  200: {
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: { [listName]: { type: 'array', items: row }, limit: { type: 'integer' } },
        },
      },
    },
  },
});
const body = (schema: object): Operation['responses'] => ({ 201: { content: { 'application/json': { schema } } } });
const scope = (name: string): Pick<Operation, 'security'> => ({ security: [{ apiKey: [name] }, { bearer: [name] }] });

const book = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    title: { $ref: '#/components/schemas/title' },
    author_id: { type: 'string', maxLength: 36 },
    translated_by: { type: 'string', maxLength: 36, 'x-references': 'authors' },
    sequel_id: { type: 'string', maxLength: 36, 'x-references': 'chapters' },
    price: { type: ['number', 'null'], maximum: 999_999_999.99 },
    format: { type: ['string', 'null'], enum: ['e-book', null] },
    tags: { type: 'array', items: { type: 'string', enum: ['new', 'old'] } },
    created_at: { type: 'string', format: 'date-time' },
  },
};
const document = {
  info: { title: 'Bookshop', 'x-currency': 'EUR' },
  tags: [{ name: 'Books' }, { name: 'Authors' }],
  paths: {
    '/authors': {
      get: {
        tags: ['Authors'],
        responses: page({ type: 'object', properties: {} }, 'authors'),
        ...scope('authors:read'),
      },
    },
    '/authors/{id}': { get: { operationId: 'getAuthor' } },
    '/authors/{author_id}/books': { get: { tags: ['Books'], responses: page(book, 'books') } },
    '/books': {
      get: {
        tags: ['Books'],
        responses: page(book, 'books'),
        parameters: [
          { name: 'sort', in: 'query', schema: { type: 'array', items: { enum: ['title', '-title'] } } },
          { name: 'format', in: 'query', schema: { type: 'array', items: { enum: ['e-book'] } } },
          { name: 'price_min', in: 'query', schema: { type: 'number' } },
          { name: 'per_page', in: 'query' },
        ],
        ...scope('books:read'),
      },
      post: {
        summary: 'Create a rare book',
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { id: { readOnly: true }, title: { type: 'string', maxLength: 2000 } },
                required: ['title'],
              },
            },
          },
        },
        responses: body({ ...book, properties: { ...book.properties, key: { type: 'string' } } }),
        ...scope('books:write'),
      },
    },
    '/books/{book_id}': { get: { operationId: 'getBook' }, delete: { summary: 'Delete', ...scope('books:write') } },
    '/books/{id}/pings': { post: { summary: 'Ping a book', responses: body({ properties: { id: {}, sent_at: {} } }) } },
    '/users/me/password': { put: { summary: 'Change your own password' } },
    '/health': { get: { responses: body({ type: 'object', properties: { limit: {} } }) } },
  },
  components: { schemas: { title: { type: 'string', maxLength: 200 } } },
} as unknown as ApiDocument;

describe('modelOf', () => {
  const model = modelOf(document);
  const books = model.collections.find(({ path }) => path === '/books');

  it('finds the lists of the document, in the order of its tags', () => {
    expect(model.collections.map(({ path }) => path)).toEqual(['/authors/{author_id}/books', '/books', '/authors']);
    expect([model.title, model.currency]).toEqual(['Bookshop', 'EUR']);
  });

  it('knows the kind of each field, and the collection that a reference points to', () => {
    expect(Object.fromEntries((books?.fields ?? []).map(({ name, kind }) => [name, kind]))).toEqual({
      ...{
        id: 'text',
        title: 'text',
        author_id: 'reference',
        translated_by: 'reference',
        sequel_id: 'text',
        price: 'money',
        format: 'choice',
        tags: 'choices',
      },
      created_at: 'time',
    });
    const targets = books?.fields.filter(({ target }) => target !== undefined);
    expect(targets?.map(({ name, target }) => [name, target])).toEqual([
      ['author_id', '/authors'],
      ['translated_by', '/authors'],
    ]);
    expect(books?.fields.find(({ name }) => name === 'format')).toMatchObject({
      choices: ['e-book'],
      isNullable: true,
    });
  });

  it('builds forms from the input, without read-only fields', () => {
    expect(books?.create?.fields).toEqual([
      expect.objectContaining({ name: 'title', kind: 'long text', isRequired: true }),
    ]);
    expect([books?.noun, books?.singular]).toEqual(['rare book', 'book']);
  });

  it('finds the fields of a response that are shown only once', () => {
    expect(books?.create?.secrets).toEqual(['key']);
    expect(books?.actions[0]?.secrets).toEqual([]);
  });

  it('finds the other operations of a member, and the collections below it', () => {
    expect(books?.actions.map(({ title }) => title)).toEqual(['Ping a book']);
    expect(model.collections.find(({ path }) => path === '/authors')?.children).toEqual(['/authors/{author_id}/books']);
    expect(model.ownActions.map(({ path }) => path)).toEqual(['/users/me/password']);
  });

  it('knows sorts, filters and ranges', () => {
    expect(books?.sorts).toEqual(['title', '-title']);
    expect(books?.filters).toEqual([
      { name: 'format', field: 'format', kind: 'equal', type: 'choice', choices: ['e-book'] },
      { name: 'price_min', field: 'price', kind: 'min', type: 'number', choices: [] },
    ]);
    expect(books?.hasTotal).toBe(true);
  });
});

describe('mayCall', () => {
  const me: Me = { id: 'u1', username: 'ada', role: 'member', scopes: ['books:read'] };

  it('needs every scope of one alternative', () => {
    expect(mayCall(scope('books:read'), me, '/books')).toBe(true);
    expect(mayCall(scope('books:write'), me, '/books')).toBe(false);
    expect(mayCall({ security: [{ apiKey: ['books:read', 'books:write'] }] }, me, '/books')).toBe(false);
  });

  it('refuses operations without a credential, and missing operations', () => {
    expect(mayCall({ security: [] }, me, '/books')).toBe(false);
    expect(mayCall(undefined, me, '/books')).toBe(false);
  });

  it.each([
    ['owner', '/books', true],
    ['owner', '/users/me/books', true],
    ['owner', '/users/u1/books', true],
    ['owner', '/users/u2/books', false],
    ['admin', '/books', false],
  ] as const)('x-reached-by: %s, at %s: %s', (reachedBy, path, expected) => {
    const operation = { ...scope('books:read'), 'x-reached-by': reachedBy };
    expect(mayCall(operation, me, path)).toBe(expected);
    expect(mayCall(operation, { ...me, role: 'admin' }, path)).toBe(true);
  });
});
