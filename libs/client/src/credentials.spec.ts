import { inspect } from 'node:util';

import { FaultServer, ModelService, ModelTokens } from '@items/testing';

import { createClient, type Auth } from './index.js';
import { clientOf, failureOf } from './testing/client-under-test.testing.js';

const SECRET = 'not-for-anybody-else';
const WAYS: readonly { name: string; auth: Auth; header: string; secrets: readonly string[] }[] = [
  { name: 'API key', auth: { apiKey: SECRET }, header: SECRET, secrets: [SECRET] },
  { name: 'token', auth: { token: SECRET }, header: `Bearer ${SECRET}`, secrets: [SECRET] },
  { name: 'token function', auth: { token: () => SECRET }, header: `Bearer ${SECRET}`, secrets: [SECRET] },
  {
    name: 'Basic',
    auth: { username: 'ada', password: `${SECRET}:ü` },
    header: `Basic ${Buffer.from(`ada:${SECRET}:ü`).toString('base64')}`,
    secrets: [SECRET, Buffer.from(`ada:${SECRET}:ü`).toString('base64')],
  },
  {
    name: 'session',
    auth: { session: { username: ModelTokens.username, password: ModelTokens.password } },
    header: 'Bearer access-secret-1',
    secrets: [ModelTokens.password, 'access-secret', 'refresh-secret'],
  },
  {
    name: 'client credentials',
    auth: { clientId: 'shop', clientSecret: SECRET },
    header: 'Bearer access-secret-1',
    secrets: [SECRET, btoa(`shop:${SECRET}`), 'access-secret'],
  },
];

/** Everything that a log of this value would show. */
const shown = (...things: unknown[]): string =>
  things.map((thing) => `${inspect(thing, { depth: 20, showHidden: true })} ${JSON.stringify(thing)}`).join('\n');

let server: FaultServer;
beforeEach(async () => (server = await FaultServer.start()));
afterEach(() => server.stop());

describe.each(WAYS)('SPEC §5: a credential ($name)', ({ auth, header, secrets }) => {
  it('is sent once, in its header and not in the URL', async () => {
    server.setPlan(({ path }) =>
      path === '/items' ? { kind: 'answer', answer: { status: 200, body: { items: [] } } } : undefined,
    );
    await clientOf(server, { auth }).client.items.page();
    const { headers } = server.requests.at(-1)!;
    expect([headers['x-api-key'], headers['authorization']].filter((value) => value !== undefined)).toEqual([header]);
    for (const { path } of server.requests) for (const secret of secrets) expect(path).not.toContain(secret);
  });

  it('is in no error, hook or inspection, even if a proxy echoes the request', async () => {
    const events: unknown[] = [];
    server.setPlan(({ path, headers }, index) => {
      if (path !== '/items') return undefined;
      const told = `You sent ${headers['authorization'] ?? ''} ${headers['x-api-key'] ?? ''}`;
      const body = { error: told, code: 'odd', details: [{ field: told, code: 'odd', message: told }] };
      if (index % 2 === 0) return { kind: 'answer', answer: { status: 400, body } };
      return { kind: 'answer', answer: { status: 403, headers: { 'content-type': 'text/html' }, body: told } };
    });
    const onRequest = (event: unknown): unknown => events.push(event);
    const { client } = clientOf(server, { auth, onRequest, onResponse: onRequest, retry: { attempts: 1 } });
    const errors = [await failureOf(client.items.page()), await failureOf(client.items.page())];
    await server.stop();
    errors.push(await failureOf(client.items.page()));
    server = await FaultServer.start();
    const text = shown(client, client.items, events, ...errors);
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(text).toContain('[credential]');
  });

  it('does not follow a redirect', async () => {
    const elsewhere = await FaultServer.start();
    const location = `${elsewhere.baseUrl}/items`;
    for (const status of [301, 302, 303, 307, 308]) {
      server.setPlan(({ path }) =>
        path === '/items' ? { kind: 'answer', answer: { status, headers: { location } } } : undefined,
      );
      const error = await failureOf(clientOf(server, { auth }).client.items.page());
      expect(error).toMatchObject({ status, code: 'unexpected_response' });
      expect(error.message).toContain(elsewhere.baseUrl);
    }
    expect(elsewhere.requests).toHaveLength(0);
    await elsewhere.stop();
  });
});

describe('a login that fails', () => {
  it.each(['/sessions', '/oauth/token'])('shows no part of its response from %s', async (path) => {
    const auth = { session: { username: ModelTokens.username, password: ModelTokens.password } };
    const { client } = clientOf(server, { auth, retry: { attempts: 1 } });
    if (path === '/oauth/token') {
      await client.items.page();
      server.service.tokens.expire();
    }
    for (let bytes = 1; bytes < 120; bytes += 7) {
      server.setPlan((request) => (request.path === '/items' ? undefined : { kind: 'short', done: true, bytes }));
      const text = shown(await failureOf(client.items.page()));
      expect(text).not.toMatch(/access-secret|refresh-secret|pass phrase/);
    }
  });
});

describe('SPEC §5: HTTPS only', () => {
  const made = (baseUrl: string): unknown => createClient({ baseUrl, auth: { apiKey: SECRET } });

  it.each(['https://items.example.com', 'http://localhost:3000', 'http://127.0.0.2', 'http://[::1]:3000/api/'])(
    '%s is allowed',
    (baseUrl) => {
      expect(made(baseUrl)).toBeDefined();
    },
  );

  it.each([
    'http://items.example.com',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'http://10.0.0.1',
    'ftp://localhost',
    '/items',
    'https://items.example.com?a=b',
  ])('%s is refused', (baseUrl) => {
    expect(() => made(baseUrl)).toThrow(/^baseUrl/);
  });

  it('a credential in the URL is refused and not shown', () => {
    const make = (): unknown => made(`https://ada:${SECRET}@items.example.com`);
    expect(make).toThrow(/^baseUrl must be/);
    expect(make).toThrow(expect.objectContaining({ message: expect.not.stringContaining(SECRET) }));
  });

  it.each([
    { apiKey: `${SECRET}\nx` },
    { apiKey: '' },
    { token: `${SECRET} ` },
    { token: undefined as unknown as string },
    {} as Auth,
    { username: `${SECRET}:`, password: SECRET },
  ])('a credential that no header can carry is refused and not shown', (auth) => {
    const make = (): unknown => createClient({ baseUrl: 'https://items.example.com', auth });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(expect.objectContaining({ message: expect.not.stringContaining(SECRET) }));
  });
});

describe('other headers of a request', () => {
  it('include the name of the application, and the headers that a hook adds', async () => {
    const { client } = clientOf(server, {
      userAgent: 'shop/1.2',
      onRequest: ({ headers }) => headers.set('traceparent', '00-1'),
      auth: { apiKey: ModelService.apiKey },
    });
    await client.items.page();
    expect(server.requests[0]?.headers).toMatchObject({ 'user-agent': 'shop/1.2', traceparent: '00-1' });
  });

  it('reach the hooks for each attempt', async () => {
    server.fail({ kind: 'answer', answer: { status: 503, body: { error: 'x' } } });
    const told: string[] = [];
    const { client } = clientOf(server, {
      onRequest: ({ method, url, attempt }) => void told.push(`${method} ${url} ${String(attempt)}`),
      onResponse: ({ status, attempt }) => void told.push(`${String(status)} ${String(attempt)}`),
    });
    await client.items.page({ page: 2, color: ['red', 'blue'] });
    const request = `GET ${server.baseUrl}/items?page=2&color=red%2Cblue`;
    expect(told).toEqual([`${request} 1`, '503 1', `${request} 2`, '200 2']);
  });
});
