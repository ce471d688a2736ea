import { breakingDifferences } from './breaking-differences.js';

const DOCUMENT = {
  paths: {
    '/books': {
      get: {
        security: [{ key: ['books:read'] }, { basic: [] }],
        parameters: [
          {
            name: 'sort',
            in: 'query',
            required: false,
            schema: { type: 'array', items: { enum: ['title', '-title'] } },
          },
          { name: 'limit', in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 100 } },
          { $ref: '#/components/parameters/Api-Version' },
        ],
        responses: {
          200: {
            headers: { ETag: { $ref: '#/components/headers/ETag' } },
            content: {
              'application/json': {
                schema: { oneOf: [{ $ref: '#/components/schemas/Page' }, { $ref: '#/components/schemas/CursorPage' }] },
              },
            },
          },
          400: { content: { 'application/json': { schema: {}, examples: { invalid_query: {}, invalid_header: {} } } } },
        },
      },
      post: {
        security: [],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/BookInput' } } },
        },
        responses: { 201: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Book' } } } } },
      },
    },
  },
  webhooks: {
    'book.created': {
      post: { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Told' } } } } },
    },
  },
  components: {
    headers: { ETag: { required: true, schema: { type: 'string', maxLength: 40 } } },
    parameters: {
      'Api-Version': { name: 'Api-Version', in: 'header', required: false, schema: { enum: ['2026-11-20'] } },
    },
    schemas: {
      Page: {
        type: 'object',
        properties: {
          books: { type: 'array', items: { $ref: '#/components/schemas/Book' } },
          page: { type: 'integer' },
        },
        required: ['books', 'page'],
      },
      CursorPage: {
        type: 'object',
        properties: {
          books: { type: 'array', items: { $ref: '#/components/schemas/Book' } },
          limit: { type: 'integer' },
        },
        required: ['books', 'limit'],
      },
      Book: {
        allOf: [
          { type: 'object', properties: { id: { type: 'string', maxLength: 36 } }, required: ['id'] },
          {
            type: 'object',
            properties: {
              title: { type: 'string' },
              status: { enum: ['new', 'old'] },
              price: { type: ['number', 'null'] },
              part: { $ref: '#/components/schemas/Book' },
            },
            required: ['title', 'status'],
          },
        ],
      },
      Told: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      BookInput: {
        type: 'object',
        properties: {
          title: { type: 'string', minLength: 1, maxLength: 200 },
          price: { type: ['number', 'null'], minimum: 0 },
          status: { enum: ['new', 'old'] },
        },
        required: ['title'],
      },
    },
  },
};

/** Returns the document with one changed value; `undefined` removes it. In names, `*` is a dot. */
function having(pointer: string, value?: unknown): unknown {
  const document = structuredClone(DOCUMENT) as unknown as Record<string, never>;
  const names = pointer.split('.').map((name) => name.replaceAll('*', '.'));
  const last = names.pop() ?? '';
  const place = names.reduce((at, name) => at[name] as unknown as typeof at, document) as Record<string, unknown>;
  if (value === undefined) Reflect.deleteProperty(place, last);
  else place[last] = value;
  return document;
}

const BOOKS = 'paths./books';
const FIELDS = 'components.schemas.Book.allOf.1';
const INPUT = 'components.schemas.BookInput';
const [, bookFields] = DOCUMENT.components.schemas.Book.allOf;
const input = DOCUMENT.components.schemas.BookInput;

describe('SPEC §9: what is breaking, is found', () => {
  it.each<[string, string, unknown, string]>([
    ['a path', BOOKS, undefined, 'GET /books is gone'],
    ['a method', `${BOOKS}.post`, undefined, 'POST /books is gone'],
    ['another scope', `${BOOKS}.get.security`, [{ key: ['books:all'] }, { basic: [] }], 'another scope'],
    ['a credential', `${BOOKS}.post.security`, [{ key: [] }], 'a credential is needed now'],
    ['a parameter', `${BOOKS}.get.parameters.1`, {}, 'the parameter query limit is gone'],
    ['a lower limit', `${BOOKS}.get.parameters.1.schema.maximum`, 50, 'maximum 50 instead of 100'],
    ['a sort', `${BOOKS}.get.parameters.0.schema.items.enum`, ['title'], 'can no longer be "-title"'],
    ['a required parameter', `${BOOKS}.get.parameters.0.required`, true, 'query sort is newly required'],
    ['a new required one', `${BOOKS}.get.parameters.3`, { name: 'x', in: 'query', required: true }, 'query x is newly'],
    ['a header', `${BOOKS}.get.responses.200.headers`, {}, 'answer 200: the header ETag is gone'],
    ['a rarer header', 'components.headers.ETag.required', false, 'the header ETag may now be left out'],
    ['a status', `${BOOKS}.post.responses`, { 200: {} }, 'POST /books: it is no longer answered 201'],
    [
      'a code',
      `${BOOKS}.get.responses.400.content.application/json.examples`,
      { invalid_query: {} },
      'invalid_header is',
    ],
    ['a media type', `${BOOKS}.post.requestBody.content`, {}, 'POST /books, body: application/json is gone'],
    ['a field read', `${FIELDS}.properties.title`, undefined, 'answer 201: the field title is gone'],
    ['a field retyped', `${FIELDS}.properties.title`, { type: 'integer' }, 'title was string and is integer'],
    ['a field that may be null', `${FIELDS}.properties.title`, { type: ['string', 'null'] }, 'and is string or null'],
    ['a field of another format', `${FIELDS}.properties.title.format`, 'uri', 'was string and is string (uri)'],
    ['a field left out', `${FIELDS}.required`, ['title'], 'the field status may now be left out'],
    ['a new status', `${FIELDS}.properties.status.enum`, ['new', 'old', 'lost'], 'status can now be "lost"'],
    ['a field sent', `${INPUT}.properties.price`, undefined, 'body: the field price is gone'],
    ['newly required', `${INPUT}.required`, ['title', 'price'], 'body: the field price is newly required'],
    ['a required new field', INPUT, { ...input, required: ['title', 'isbn'] }, 'the field isbn is newly required'],
    ['shorter', `${INPUT}.properties.title.maxLength`, 100, 'title has maxLength 100 instead of 200'],
    ['longer', `${INPUT}.properties.title.minLength`, 2, 'title has minLength 2 instead of 1'],
    ['a new minimum', `${INPUT}.properties.price.minimum`, 1, 'price has minimum 1 instead of 0'],
    ['a pattern', `${INPUT}.properties.title.pattern`, '^a', 'title has another pattern'],
    ['a value not taken', `${INPUT}.properties.status.enum`, ['new'], 'status can no longer be "old"'],
    ['not null', `${INPUT}.properties.price.type`, ['number'], 'price was number or null and is number'],
    ['unknown fields', `${INPUT}.additionalProperties`, false, 'other fields are refused now'],
    ['an event', 'webhooks.book*created', undefined, 'the event book.created is gone'],
    ['a field of an event', 'components.schemas.Told.properties.id', undefined, 'book.created: the field id is gone'],
    ['another form of a page', 'components.schemas.Page.properties.page', { type: 'string' }, 'page was integer'],
  ])('%s', (_, pointer, value, sentence) => {
    expect(breakingDifferences(DOCUMENT, having(pointer, value)).join('\n')).toContain(sentence);
  });
});

describe('SPEC §9: a compatible change is not reported', () => {
  it.each<[string, string, unknown]>([
    ['nothing', 'info', {}],
    ['a path', 'paths./more', { get: { responses: {} } }],
    ['an optional parameter', `${BOOKS}.get.parameters.3`, { name: 'x', in: 'query', required: false, schema: {} }],
    ['a version', 'components.parameters.Api-Version.schema.enum', ['2027-06-01']],
    ['a higher limit', `${BOOKS}.get.parameters.1.schema.maximum`, 200],
    ['a header', `${BOOKS}.get.responses.200.headers.Age`, { schema: {} }],
    ['a code', `${BOOKS}.get.responses.400.content.application/json.examples.expired_cursor`, {}],
    ['a status of a new situation', `${BOOKS}.get.responses.409`, {}],
    ['a kind of events', 'webhooks.book*lost', { post: {} }],
    ['a field', `${FIELDS}.properties`, { ...bookFields?.properties, isbn: { type: 'string' } }],
    ['longer ids', 'components.schemas.Book.allOf.0.properties.id.maxLength', 72],
    ['always there', `${FIELDS}.required`, ['title', 'status', 'price']],
    ['an optional input', `${INPUT}.properties.isbn`, { type: 'string' }],
    ['no longer required', `${INPUT}.required`, []],
    ['fewer scopes', `${BOOKS}.get.security`, [{ key: [] }, { basic: [] }]],
    ['an integer where there were numbers', `${FIELDS}.properties.price.type`, ['integer', 'null']],
  ])('%s', (_, pointer, value) => {
    expect(breakingDifferences(DOCUMENT, having(pointer, value))).toEqual([]);
  });

  it('the scopes of another collection', () => {
    const withScopes = (...scopes: string[]): object => {
      const schema = {
        type: 'object',
        properties: { scopes: { type: 'array', items: { type: 'string', enum: scopes } } },
      };
      return { paths: { '/keys': { get: { responses: { 200: { content: { 'application/json': { schema } } } } } } } };
    };
    expect(breakingDifferences(withScopes('a:read'), withScopes('a:read', 'b:read'))).toEqual([]);
  });
});
