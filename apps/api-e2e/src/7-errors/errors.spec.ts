import { itemInput, type RequestOptions } from '@items/testing';

import { admin, anonymous, clientWith } from '../harness/clients.js';
import { errorOf } from '../harness/reading.js';

const json = { 'Content-Type': 'application/json' };

/** One request for each status that a client can cause, with its stable code. */
const ERRORS: readonly [status: number, title: string, method: string, target: string, options: RequestOptions][] = [
  [400, 'malformed body', 'POST', '/items', { body: '{', headers: Object.entries(json) }],
  [400, 'unknown parameter', 'GET', '/items?foo=1', {}],
  [400, 'bad encoding', 'GET', '/items/%ZZ', {}],
  [400, 'forged cursor', 'GET', '/items?cursor=abc', {}],
  [400, 'unknown version', 'GET', '/items', { headers: [['Api-Version', '1999-01-01']] }],
  [404, 'unknown path', 'GET', '/nothing', {}],
  [404, 'unknown id', 'GET', '/items/x', {}],
  [405, 'unsupported method', 'PATCH', '/items', {}],
  [413, 'body too large', 'POST', '/items', { body: ' '.repeat(1_048_577), headers: Object.entries(json) }],
  [415, 'another media type', 'POST', '/items', { body: 'x', headers: [['Content-Type', 'text/plain']] }],
  [417, 'another expectation', 'GET', '/items', { headers: [['Expect', 'miracles']] }],
  [422, 'invalid content', 'POST', '/items', { json: { name: 1, price: 'x', foo: 1 } }],
];

describe('§7 Error body: a JSON object with an error field holding a human-readable message', () => {
  it.each(ERRORS)('%i: %s', async (status, _title, method, target, options) => {
    const { error, code } = errorOf(await admin.send(method, target, options), status);
    expect(error).toMatch(/^\S.*[.!?"]$/s);
    expect(code).toMatch(/^[a-z_]+$/);
  });

  it('401 and 403', async () => {
    errorOf(await anonymous.get('/items'), 401);
    errorOf(await (await clientWith('items:read')).post('/items', itemInput()), 403);
  });

  it('the body is never an HTML page, for any Accept', async () => {
    for (const accept of [
      'text/html',
      'text/html,application/xhtml+xml;q=0.9',
      'application/xml',
      '*/*',
      'image/png',
      '',
    ]) {
      errorOf(await admin.get('/nothing', ['Accept', accept]), 404);
      errorOf(await admin.get('/items/x', ['Accept', accept]), 404);
      errorOf(await anonymous.get('/items', ['Accept', accept]), 401);
    }
  });
});

describe('§7 A given request must produce the same error each time', () => {
  it.each(ERRORS)('%i: %s, byte for byte', async (_status, _title, method, target, options) => {
    const answers = [];
    for (let i = 0; i < 3; i += 1) answers.push(await admin.send(method, target, options));
    const anonymousOnes = [
      await anonymous.send(method, target, options),
      await anonymous.send(method, target, options),
    ];
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(new Set(anonymousOnes.map((answer) => answer.text)).size).toBe(1);
  });

  it('X-Request-Id differs for each response, and is not in the body', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => admin.get('/items/x')));
    const ids = answers.map((answer) => answer.header('x-request-id') ?? '');
    expect(new Set(ids).size).toBe(20);
    for (const answer of answers) expect(answer.text).not.toContain(answer.header('x-request-id'));
  });

  it('the order of the fields in the request does not change the response', async () => {
    const one = await admin.post('/items', { a: 1, b: 2, name: '', price: -1 });
    const other = await admin.post('/items', { price: -1, name: '', b: 2, a: 1 });
    expect(other.text).toBe(one.text);
  });
});
