import { request } from 'node:http';

import type { ErrorBody } from '@items/conventions';
import { ForbiddenException, NotFoundException, type ArgumentsHost, type INestApplication } from '@nestjs/common';

import { ErrorFilter } from './error-filter.js';
import { PLATFORMS, startForeignApp } from './foreign-app.testing.js';

const json = { 'content-type': 'application/json' };
const post = (body: string, headers: Record<string, string> = json) => ({ method: 'POST', body, headers });
const NO_CAT = 'Something of a megabyte'.padEnd(1_200_000, '.');

/** Name, path, request, and the expected status, code and sentence. */
const CASES: readonly (readonly [string, string, RequestInit, number, string, string])[] = [
  ['an HttpException', '/cats/failing/forbidden', {}, 403, 'forbidden', 'This cat is not yours.'],
  ['the code of an exception', '/cats/failing/teapot', {}, 418, 'kettle_only', 'Short and stout.'],
  ['an unknown path', '/dogs', {}, 404, 'route_not_found', 'There is no resource at this path.'],
  ['a body that is not JSON', '/cats', post('{"name"'), 400, 'malformed_body', 'The request body is not valid JSON.'],
  [
    'a body that is too large',
    '/cats',
    post(JSON.stringify(NO_CAT)),
    413,
    'body_too_large',
    'The request body is too large.',
  ],
];

describe.each(PLATFORMS)('ErrorFilter in an app of Nest 12 on %s', (platform) => {
  const logged: unknown[][] = [];
  let app: INestApplication;
  let url: string;

  beforeAll(async () => {
    ({ app, url } = await startForeignApp(platform, (...parts: unknown[]) => logged.push(parts)));
  });

  beforeEach(() => {
    logged.length = 0;
  });

  afterAll(() => app.close());

  it.each(CASES)('returns %s in the common form', async (_, path, init, status, code, error) => {
    const answer = await fetch(url + path, init);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await answer.json()).toEqual({ error, code });
    expect(logged).toEqual([]);
  });

  it('returns 500 with a fixed sentence for an unknown exception, and logs it with its stack', async () => {
    const answer = await fetch(`${url}/cats/failing/somehow`);
    expect([answer.status, answer.headers.get('etag')]).toEqual([500, null]);
    const body = await answer.text();
    expect(JSON.parse(body)).toEqual({ error: 'Internal server error.', code: 'internal_error' });
    expect(answer.headers.has('x-request-id')).toBe(false);
    expect(logged).toEqual([['secret', expect.stringContaining('foreign-app.testing.ts'), 'ErrorFilter']]);
  });

  it('asks clients to quote the X-Request-Id if the app sets one', async () => {
    const answer = await fetch(`${url}/cats/failing-with/id`);
    const error = 'Internal server error. Quote the X-Request-Id when you report it.';
    expect(await answer.json()).toEqual({ error, code: 'internal_error' });
    expect(answer.headers.get('x-request-id')).toBe('1');
  });

  it('joins the messages of a ValidationPipe, with a detail for each known field', async () => {
    const answer = await fetch(`${url}/cats/failing/invalid`);
    expect(answer.status).toBe(400);
    expect((await answer.json()) as ErrorBody).toEqual({
      error: 'name must be a string; Be nice.',
      code: 'bad_request',
      details: [{ field: 'name', code: 'invalid', message: 'name must be a string' }],
    });
  });

  it.each([
    ['DELETE', '/cats?x=1', 'GET, HEAD, POST'],
    ['GET', '/cats/1', 'PUT'],
  ])('returns 405 for %s %s, with Allow: %s', async (method, path, allow) => {
    const answer = await fetch(url + path, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
    expect(await answer.json()).toMatchObject({ code: 'method_not_allowed' });
  });

  it.each(['/cats/1/2', '/', '//cats'])('returns 404 for GET %s, which no method serves', async (path) => {
    expect((await fetch(url + path)).status).toBe(404);
  });

  it('responds to HEAD as to GET, without a body', async () => {
    const [head, get] = await Promise.all(['HEAD', 'GET'].map((method) => fetch(`${url}/dogs`, { method })));
    const length = head?.headers.get('content-length');
    expect([head?.status, await head?.text(), length]).toEqual([404, '', String((await get?.text())?.length)]);
  });

  it.each(['late', 'early'])(
    'returns 500 for a streamed file that fails before the response begins: %s',
    async (how) => {
      const answer = await fetch(`${url}/cats/pictures/${how}`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([500, 'application/json; charset=utf-8']);
      expect([answer.headers.get('etag'), answer.headers.get('content-disposition')]).toEqual([null, null]);
      const text = await answer.text();
      expect(JSON.parse(text)).toEqual({ error: 'Internal server error.', code: 'internal_error' });
      expect(text).not.toContain('secret');
      expect(logged.map((parts) => parts.at(-1))).toContain('ErrorFilter');
    },
  );

  it('destroys the connection if a streamed file fails later, so that the client notices', async () => {
    await expect(fetch(`${url}/cats/pictures/half`).then((answer) => answer.arrayBuffer())).rejects.toThrow();
  });

  it('destroys the connection if a response has begun, so that the client notices', async () => {
    const broken = new Promise((resolve, reject) => {
      const asked = request(`${url}/cats/half`, { timeout: 2000 }, (answer) => {
        answer.on('error', resolve).on('end', () => reject(new Error('the answer ended as if it were whole')));
        answer.resume();
      });
      asked
        .on('error', resolve)
        .on('timeout', () => asked.destroy(new Error('the answer never ended')))
        .end();
    });
    expect(await broken).toMatchObject({ code: 'ECONNRESET' });
    expect(logged).toHaveLength(1);
  });
});

describe('A streamed file with a handler of its own', () => {
  it('is left to that handler on Express', async () => {
    const { app, url } = await startForeignApp('express', () => undefined);
    const answer = await fetch(`${url}/cats/pictures/own`);
    expect([answer.status, await answer.text()]).toEqual([410, 'Gone']);
    await app.close();
  });
});

describe('A path that is not UTF-8', () => {
  it('returns the common form on Express, which calls its error handler', async () => {
    const { app, url } = await startForeignApp('express', () => undefined);
    const answer = await fetch(`${url}/cats/failing/%FF`);
    await app.close();
    expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining({ code: 'malformed_request' })]);
  });
});

describe('onError', () => {
  it('gets faults of the service, and no error of the client', () => {
    const adapter = { getType: () => 'express', getInstance: () => ({}) };
    const faults: string[] = [];
    const sent: number[] = [];
    const filter = new ErrorFilter(
      { getHttpAdapter: () => adapter },
      { onError: ({ code }) => faults.push(code), send: ({ status }) => sent.push(status) },
    );
    const host = { getType: () => 'http', getArgs: () => [{}, {}] } as unknown as ArgumentsHost;
    for (const thrown of [new ForbiddenException(), new NotFoundException('No cat.'), new Error('secret')]) {
      filter.catch(thrown, host);
    }
    expect(sent).toEqual([403, 404, 500]);
    expect(faults).toEqual(['internal_error']);
  });
});

describe('ErrorFilter outside HTTP', () => {
  it('leaves an exception over a socket to the filters of sockets', () => {
    const adapter = { getType: () => 'express', getInstance: () => ({}) };
    const filter = new ErrorFilter({ getHttpAdapter: () => adapter });
    const thrown = new Error('over a socket');
    const host = { getType: () => 'ws' } as unknown as ArgumentsHost;
    expect(() => filter.catch(thrown, host)).toThrow(thrown);
  });
});
