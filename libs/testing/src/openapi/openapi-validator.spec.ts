import { Answer, type Header } from '../http/answer.js';
import type { OpenApiDocument } from './openapi-document.js';
import { OpenApiValidator } from './openapi-validator.js';

const document = {
  openapi: '3.1.0',
  paths: {
    '/items/{id}': {
      get: {
        responses: {
          '200': {
            headers: {
              ETag: { required: true, schema: { type: 'string' } },
              'X-Left': { $ref: '#/components/headers/Left' },
            },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Item' } } },
          },
          '4XX': { $ref: '#/components/responses/Error' },
        },
      },
      put: {
        parameters: [{ $ref: '#/components/parameters/Key' }, { name: 'y', in: 'query', schema: { type: 'integer' } }],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Input' } } } },
        responses: { '204': {}, '422': { $ref: '#/components/responses/Error' } },
      },
      'x-other-methods': { responses: { '405': {} } },
    },
    '/items/mine': { get: { responses: { '204': {} } } },
  },
  'x-other-paths': { responses: { '404': { $ref: '#/components/responses/Error' } } },
  components: {
    parameters: { Key: { name: 'X-Key', in: 'header', schema: { type: 'array', items: { enum: ['a', 'b'] } } } },
    headers: { Left: { schema: { type: 'integer', minimum: 0 } } },
    responses: { Error: { content: { 'application/json': { schema: { required: ['error'], example: {} } } } } },
    schemas: {
      Input: { type: 'object', properties: { name: { type: 'string', maxLength: 3, 'x-trimmed': true } } },
      Item: {
        type: 'object',
        required: ['id', 'at'],
        additionalProperties: false,
        properties: { id: { type: 'string', format: 'uuid' }, at: { type: 'string', format: 'date-time' } },
      },
    },
  },
} as unknown as OpenApiDocument;

const item = { id: '01890000-0000-7000-8000-000000000000', at: '2026-11-20T09:30:00.000Z' };
const fine: readonly Header[] = [
  ['Content-Type', 'application/json; charset=utf-8'],
  ['ETag', '"1"'],
  ['X-Left', '3'],
  ['Date', 'today'],
];

describe('OpenApiValidator', () => {
  const validator = new OpenApiValidator(document);

  function problems(method: string, target: string, status: number, body: unknown = '', headers = fine): string[] {
    const answer = new Answer(status, headers, Buffer.from(body === '' ? '' : JSON.stringify(body)));
    return validator.problems({ request: { method, target, headers: [], body: undefined }, answer });
  }

  it('finds nothing if a response is as documented', () => {
    expect(problems('GET', '/items/x', 200, item)).toEqual([]);
    expect(problems('GET', '/items/mine', 204, '', [])).toEqual([]);
    expect(problems('GET', '/%69tems/%6dine', 204, '', [])).toEqual([]);
    expect(problems('GET', '/items/%ZZ', 200, item)).toEqual([]);
    expect(problems('PATCH', '/items/x', 405, '', [])).toEqual([]);
    expect(problems('GET', '/nothing', 404, { error: 'x' }, fine.slice(0, 1))).toEqual([]);
  });

  it('names a status and an operation that are not documented', () => {
    expect(problems('GET', '/items/x', 302)).toEqual(['GET /items/{id} → 302 is not documented']);
    expect(problems('POST', '/items/mine', 201)).toEqual(['POST /items/mine is not documented']);
    expect(problems('GET', '/nothing', 200)).toEqual(['GET (any other path) → 200 is not documented']);
  });

  it('names headers that are missing, not documented, or not as documented', () => {
    const headers: readonly Header[] = [
      ['Content-Type', 'application/json'],
      ['X-Left', '-1'],
      ['X-New', 'y'],
    ];
    expect(problems('GET', '/items/x', 200, item, headers)).toEqual([
      'GET /items/{id} → 200: header x-new is not documented',
      'GET /items/{id} → 200: header ETag is missing',
      'GET /items/{id} → 200: header X-Left must be >= 0',
    ]);
  });

  describe('of a request that was accepted', () => {
    function accepted(target: string, body?: unknown, ...headers: readonly Header[]): string[] {
      const sent = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
      const request = { method: 'PUT', target, headers, body: sent };
      return validator.problems({ request, answer: new Answer(204, [], Buffer.alloc(0)) });
    }

    it('finds nothing if the document lets a client send it', () => {
      expect(accepted('/items/x?y=7', { name: '  abc  ' }, ['x-key', 'a,b'], ['X-Other', 'c'])).toEqual([]);
    });

    it('names the undocumented parts of the request', () => {
      const name = 'PUT /items/{id} → 204:';
      expect(accepted('/items/x?y=7&z=1', { name: 'abc' })).toEqual([
        `${name} query parameter z was accepted, but is not documented`,
      ]);
      expect(accepted('/items/x?y=a', { name: 'abcd' }, ['X-Key', 'a,c'])).toEqual([
        `${name} query parameter y, which was accepted, must be integer`,
        `${name} header parameter X-Key, which was accepted,/1 must be equal to one of the allowed values`,
        `${name} the request body, which was accepted,/name must NOT have more than 3 characters`,
      ]);
      expect(accepted('/items/x')).toEqual([`${name} a request without a body was accepted`]);
    });

    it('says nothing of one that was refused', () => {
      const request = { method: 'PUT', target: '/items/x?z=1', headers: [], body: undefined };
      const answer = new Answer(422, fine.slice(0, 1), Buffer.from('{"error":"x"}'));
      expect(validator.problems({ request, answer })).toEqual([]);
    });
  });

  it('names the problem of a body', () => {
    expect(problems('GET', '/items/x', 200, { id: 'x', extra: 1 })).toEqual([
      "GET /items/{id} → 200: body must have required property 'at'",
      'GET /items/{id} → 200: body must NOT have additional properties',
      'GET /items/{id} → 200: body/id must match format "uuid"',
    ]);
    expect(problems('GET', '/items/x', 404, {}, fine.slice(0, 1))).toEqual([
      "GET /items/{id} → 404: body must have required property 'error'",
    ]);
    expect(problems('GET', '/items/x', 200, item, [['Content-Type', 'text/plain'], ...fine.slice(1)])).toEqual([
      'GET /items/{id} → 200: a body of type "text/plain" is not documented',
    ]);
  });
});
