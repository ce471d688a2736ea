import { BUSY_MS, FaultServer, ModelTokens, refusal, type Fault, type FaultPlan } from '@items/testing';

import { AuthenticationError, ItemsNetworkError, type Auth, type Tokens } from './index.js';
import { clientOf, failureOf, USUAL_MS } from './testing/client-under-test.testing.js';

const { username, password } = ModelTokens;
const LOGIN: Auth = { session: { username, password } };
const LOST: Fault = { kind: 'reset', done: true, afterBytes: 0 };

let server: FaultServer;
beforeEach(async () => (server = await FaultServer.start()));
afterEach(() => server.stop());

const to = (path: string): number => server.requests.filter((request) => request.path === path).length;
/** Causes a fault in the first request to a path. */
const firstTo =
  (path: string, fault: Fault): FaultPlan =>
  (request) =>
    request.path === path && to(path) === 1 ? fault : undefined;
const refused = (status: number): Fault => ({
  kind: 'answer',
  answer: refusal(status, 'rate_limited', { 'retry-after': '2' }),
});
/** A previous login. */
const tokens = async (): Promise<Tokens> => clientOf(server).client.sessions.create({ username, password });

describe('a session', () => {
  it('logs in once for all waiting requests, and not before the first request', async () => {
    const { client } = clientOf(server, { auth: LOGIN });
    expect(server.requests).toHaveLength(0);
    await Promise.all(Array.from({ length: 20 }, () => client.items.page()));
    expect(to('/sessions')).toBe(1);
  });

  it('is refreshed once for all waiting requests, when the service refuses its token', async () => {
    const { client } = clientOf(server, { auth: LOGIN });
    await client.items.page();
    server.service.tokens.expire();
    await Promise.all(Array.from({ length: 20 }, () => client.items.page()));
    expect(server.service.tokens).toMatchObject({ logins: 1, refreshes: 1, wasReused: false });
  });

  it('is refreshed before its token expires', async () => {
    const { client } = clientOf(server, { auth: LOGIN });
    await client.items.page();
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 895_000);
    await client.items.page().finally(() => now.mockRestore());
    expect(server.service.tokens.refreshes).toBe(1);
    expect(to('/items')).toBe(2);
  });

  it('reports all new tokens, and continues with stored tokens', async () => {
    const told: Tokens[] = [];
    const kept = await tokens();
    server.service.tokens.expire();
    const session = { tokens: kept, onTokens: (fresh: Tokens) => told.push(fresh) };
    await clientOf(server, { auth: { session } }).client.items.page();
    expect(told).toMatchObject([{ access_token: 'access-secret-2', refresh_token: 'refresh-secret-2' }]);
    await clientOf(server, { auth: { session: { tokens: told[0]! } } }).client.items.page();
    expect(server.service.tokens.refreshes).toBe(1);
  });

  it.each([
    ['the service itself', undefined, 'first-party'],
    ['an application', 'my-console', 'my-console'],
  ])('is refreshed with the OAuth client of its tokens: %s', async (_, clientId, expected) => {
    const session = { tokens: await tokens(), ...(clientId === undefined ? {} : { clientId }) };
    server.service.tokens.expire();
    await clientOf(server, { auth: { session } }).client.items.page();
    const { body } = server.requests.find(({ path }) => path === '/oauth/token')!;
    expect(new URLSearchParams(body).get('client_id')).toBe(expected);
  });

  it('tries one login for ten requests that get a 401 one after another, if the login is refused', async () => {
    // Delays each response until it is released.
    const release: (() => void)[] = [];
    const fetchApart: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (response.status === 401 && response.url.endsWith('/items')) {
        await new Promise<void>((resolve) => release.push(resolve));
      }
      return response;
    };
    const apart = clientOf(server, { auth: LOGIN, fetch: fetchApart });
    await apart.client.items.page();
    server.service.tokens.expire();
    server.setPlan(({ path }) => {
      if (path === '/oauth/token') return { kind: 'answer', answer: refusal(400, 'invalid_grant') };
      return path === '/sessions' ? refused(401) : undefined;
    });
    const calls = Array.from({ length: 10 }, () => failureOf(apart.client.items.page()));
    while (release.length < 10) await new Promise((resolve) => setImmediate(resolve));
    for (const [index, call] of calls.entries()) {
      release[index]?.();
      expect(await call).toBeInstanceOf(AuthenticationError);
    }
    expect([to('/oauth/token'), to('/sessions')]).toEqual([1, 1]);
    // Later calls may try again.
    await failureOf(apart.client.items.page());
    expect(to('/sessions')).toBe(2);
  });

  it('is not refreshed twice for one call', async () => {
    const { client } = clientOf(server, { auth: LOGIN });
    server.setPlan(({ path }) => (path === '/items' ? refused(401) : undefined));
    await expect(client.items.page()).rejects.toThrow(AuthenticationError);
    expect([to('/items'), to('/sessions'), to('/oauth/token')]).toEqual([2, 1, 1]);
  });

  it('repeats a POST that was refused for its token, with the same key', async () => {
    const { client } = clientOf(server, { auth: LOGIN });
    await client.items.page();
    server.service.tokens.expire();
    server.setPlan(() => undefined);
    await client.items.create({ name: 'Mug' });
    const keys = server.requests
      .filter(({ path }) => path === '/items')
      .map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });
});

describe('a refresh whose response was lost', () => {
  const answers: readonly Fault[] = [
    LOST,
    { kind: 'reset', done: true, afterBytes: 100 },
    { kind: 'stall', done: true, afterBytes: 0 },
    { kind: 'short', done: true, bytes: 20 },
    { kind: 'answer', done: true, answer: { status: 502, body: '<html>' } },
    { kind: 'answer', done: true, answer: refusal(503, 'unavailable') },
  ];

  it.each(answers)('is not repeated, but replaced by one login ($kind)', async (fault) => {
    const { client } = clientOf(server, { auth: LOGIN, timeoutMs: fault.kind === 'stall' ? BUSY_MS : USUAL_MS });
    await client.items.page();
    server.service.tokens.expire();
    server.setPlan(firstTo('/oauth/token', fault));
    await expect(client.items.page()).resolves.toBeDefined();
    expect([to('/oauth/token'), to('/sessions')]).toEqual([1, 1]);
    expect(server.service.tokens.wasReused).toBe(false);
  });

  it('ends a session without a password', async () => {
    const { client } = clientOf(server, { auth: { session: { tokens: await tokens() } } });
    server.service.tokens.expire();
    server.setPlan(firstTo('/oauth/token', LOST));
    expect(await failureOf(client.items.page())).toBeInstanceOf(ItemsNetworkError);
    expect(await failureOf(client.items.page())).toBeInstanceOf(AuthenticationError);
    expect(to('/oauth/token')).toBe(1);
  });

  it('a refresh that was refused with 429 is repeated after the wait', async () => {
    const { client, sleeps } = clientOf(server, { auth: { session: { tokens: await tokens() } } });
    server.service.tokens.expire();
    server.setPlan(firstTo('/oauth/token', refused(429)));
    await expect(client.items.page()).resolves.toBeDefined();
    expect(sleeps).toEqual([2000]);
  });

  it('an expired refresh token requires a new login', async () => {
    const { client } = clientOf(server, {
      auth: { session: { tokens: { access_token: 'old', refresh_token: 'old' } } },
    });
    const error = await failureOf(client.items.page());
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error.message).toContain('log in again');
  });
});

describe('a login', () => {
  it.each([
    LOST,
    { kind: 'stall', done: true, afterBytes: 40 },
    { kind: 'answer', done: true, answer: { status: 504, body: '<html>' } },
  ] as const)('is not repeated within the call if its response was lost ($kind)', async (fault) => {
    const { client } = clientOf(server, { auth: LOGIN, timeoutMs: fault.kind === 'stall' ? BUSY_MS : USUAL_MS });
    server.setPlan(firstTo('/sessions', fault));
    await failureOf(client.items.page());
    expect(to('/sessions')).toBe(1);
    await expect(client.items.page()).resolves.toBeDefined();
    expect(to('/sessions')).toBe(2);
  });

  it.each([429, 503])('is repeated with the same key after the wait if it was refused with %d', async (status) => {
    const { client, sleeps } = clientOf(server, { auth: LOGIN });
    server.setPlan(firstTo('/sessions', refused(status)));
    await client.items.page();
    const keys = server.requests
      .filter(({ path }) => path === '/sessions')
      .map(({ headers }) => headers['idempotency-key']);
    expect([sleeps, keys.length, new Set(keys).size]).toEqual([[2000], 2, 1]);
  });

  it('is not repeated with a wrong password', async () => {
    const { client } = clientOf(server, { auth: { session: { username, password: 'wrong' } } });
    await expect(client.items.page()).rejects.toThrow(AuthenticationError);
    expect(server.requests).toHaveLength(1);
  });
});

describe('client credentials', () => {
  it('are exchanged once for all waiting requests, and again if the token is refused', async () => {
    const auth = { clientId: 'shop', clientSecret: 'secret:+ü', scope: 'items:read' };
    const { client } = clientOf(server, { auth });
    await Promise.all([client.items.page(), client.items.page()]);
    server.service.tokens.expire();
    await client.items.page();
    const exchanges = server.requests.filter(({ path }) => path === '/oauth/token');
    expect(exchanges).toHaveLength(2);
    expect(exchanges[0]?.body).toBe('grant_type=client_credentials&scope=items%3Aread');
    expect(exchanges[0]?.headers['authorization']).toBe(`Basic ${btoa('shop:secret%3A%2B%C3%BC')}`);
  });
});
