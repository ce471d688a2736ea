import { request } from 'node:http';

import { LookUpCache } from '../../data/caching/look-up-cache.js';
import type { CreatedClient } from '@items/dtos/contract';
import { databaseUnavailable } from '../../data/database/database-unavailable.js';

import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { formOf, startOauth, type OauthUnderTest } from './testing/oauth.testing.js';

const ID = '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27';

describeOnBothDatabases('The endpoints of clients', (under) => {
  let oauth: OauthUnderTest;
  let client: Required<CreatedClient>;

  beforeAll(async () => {
    oauth = await startOauth(under.config, { RATE_LIMIT: '20/60', RATE_LIMIT_ANONYMOUS: '30/60' });
    const input = { name: 'Cron', scopes: ['items:read'], redirect_uris: [], grant_types: ['client_credentials'] };
    client = (await oauth.admin.post('/clients', input)).json() as Required<CreatedClient>;
  });
  afterAll(() => oauth.close());

  const ask = (path: string, secret = client.client_secret): Promise<Response> =>
    formOf(oauth.baseUrl, path, {
      grant_type: 'client_credentials',
      token: 'x',
      client_id: client.client_id,
      client_secret: secret,
    });
  const remaining = (answer: Response): number => Number(answer.headers.get('x-ratelimit-remaining'));

  it('count per authenticated client, and per address if a client is only named (§8)', async () => {
    const first = await ask('/oauth/token');
    expect(first.status).toBe(200);
    expect(first.headers.get('x-ratelimit-limit')).toBe('20');
    expect(remaining(await ask('/oauth/introspect'))).toBe(remaining(first) - 1);
    const stranger = await ask('/oauth/token', 'wrong');
    expect(stranger.status).toBe(401);
    expect(stranger.headers.get('x-ratelimit-limit')).toBe('30');
    expect(remaining(await ask('/oauth/revoke'))).toBe(remaining(first) - 2);
  });

  it('count requests that are refused early for the address, with the headers of the quota (§8)', async () => {
    const proof = `Basic ${Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')}`;
    const early = [
      () => formOf(oauth.baseUrl, '/oauth/token', {}, { 'api-version': '2001-01-01', authorization: proof }),
      () => formOf(oauth.baseUrl, '/oauth/revoke', {}, { 'x-api-key': 'x', authorization: proof }),
      () => formOf(oauth.baseUrl, '/oauth/introspect?token=x', {}),
      () => formOf(oauth.baseUrl, '/oauth/token', { code: 'x'.repeat(1_048_577) }),
    ];
    let left = remaining(await ask('/oauth/token', 'wrong'));
    for (const request of early) {
      const answer = await request();
      expect([400, 413]).toContain(answer.status);
      expect(answer.headers.get('x-ratelimit-limit')).toBe('30');
      expect(remaining(answer)).toBe((left -= 1));
    }
  });

  it('return 429 in the form of the RFCs when the quota is used up', async () => {
    let answer = await ask('/oauth/introspect');
    while (answer.status === 200) answer = await ask('/oauth/introspect');
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe(answer.headers.get('x-ratelimit-reset'));
    expect(await answer.json()).toEqual({
      error: 'temporarily_unavailable',
      error_description: 'The quota is used up. Wait for the number of seconds in Retry-After, then try again.',
    });
  });

  it('a GET is 405 with Allow (§4)', async () => {
    for (const path of ['token', 'revoke', 'introspect']) {
      const answer = await fetch(`${oauth.baseUrl}/oauth/${path}`);
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe('POST, OPTIONS');
      expect(await answer.json()).toEqual({
        error: 'invalid_request',
        error_description: 'This method is not allowed here; allowed: POST, OPTIONS.',
      });
    }
    expect((await fetch(`${oauth.baseUrl}/oauth/nowhere`)).status).toBe(404);
  });

  it.each(['token', 'client_secret', 'refresh_token'])('a %s in the URL is 400', async (name) => {
    const answer = await formOf(oauth.baseUrl, `/oauth/revoke?${name}=x`, { token: 'x' });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: 'invalid_request' });
  });

  it('a body beyond 1 MiB is 413', async () => {
    const answer = await formOf(oauth.baseUrl, '/oauth/token', { grant_type: 'x'.repeat(1_048_577) });
    expect(answer.status).toBe(413);
  });

  it('have the headers that every response has', async () => {
    const answer = await formOf(oauth.baseUrl, '/oauth/token', {}, { 'x-request-id': 'mine' });
    expect(answer.headers.get('x-request-id')).toBe('mine');
    expect(answer.headers.get('api-version')).not.toBeNull();
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describeOnBothDatabases('The endpoints of clients, before authentication', (under) => {
  let oauth: OauthUnderTest;

  beforeAll(async () => {
    oauth = await startOauth(under.config, { RATE_LIMIT_ANONYMOUS: '12/60' });
  });
  afterAll(() => oauth.close());

  /** Sends headers that announce a body, without sending it. */
  const announced = (headers: Readonly<Record<string, string>>): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const sent = request(`${oauth.baseUrl}/oauth/token`, { method: 'POST', headers, agent: false });
      sent.on('error', reject).on('response', ({ statusCode }) => {
        sent.destroy();
        resolve(statusCode);
      });
      sent.flushHeaders();
    });

  it('cache no text that cannot be the id of a client', async () => {
    const asked = jest.spyOn(LookUpCache.prototype, 'get');
    for (const path of ['token', 'revoke', 'introspect']) {
      const named = { client_id: path.padEnd(15_000, 'x'), client_secret: `ics_${'x'.repeat(43)}` };
      expect((await formOf(oauth.baseUrl, `/oauth/${path}`, named)).status).toBe(401);
    }
    expect(asked.mock.calls.filter(([key]) => key.length > 100)).toEqual([]);
    asked.mockRestore();
  });

  it('refuse an address above its quota before reading the body', async () => {
    const proof = { authorization: 'Basic eDp5', 'content-type': 'application/x-www-form-urlencoded' };
    let answer = await formOf(oauth.baseUrl, '/oauth/token', {}, proof);
    while (answer.status !== 429) answer = await formOf(oauth.baseUrl, '/oauth/token', {}, proof);
    expect(await announced({ ...proof, 'content-length': '100' })).toBe(429);
    expect(await announced({ 'content-length': '2000000' })).toBe(429);
  });

  it('look up no client for a secret that no client can have', async () => {
    const asked = jest.spyOn(LookUpCache.prototype, 'get');
    expect((await formOf(oauth.baseUrl, '/oauth/token', { client_id: ID, client_secret: 'guess' })).status).toBe(429);
    expect(asked.mock.calls.filter(([key]) => key === ID)).toEqual([]);
    asked.mockRestore();
  });
});

describeOnBothDatabases('If HTTPS is required', (under) => {
  let oauth: OauthUnderTest;

  beforeAll(async () => {
    oauth = await startOauth(under.config, { REQUIRE_HTTPS: 'true', TRUST_PROXY: '127.0.0.1' });
  });
  afterAll(() => oauth.close());

  it('credentials over plain HTTP are refused, even in a body, without a redirect', async () => {
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect']) {
      const answer = await formOf(oauth.baseUrl, path, { client_id: 'x', client_secret: 'y' });
      expect([answer.status, answer.headers.get('location')]).toEqual([403, null]);
      expect(answer.headers.get('x-ratelimit-limit')).not.toBeNull();
    }
    const login = await fetch(`${oauth.baseUrl}/sessions`, { method: 'POST', body: '{"username":"x","password":"y"}' });
    expect(login.status).toBe(403);
    const page = await formOf(oauth.baseUrl, '/oauth/interaction/x', { username: 'x', password: 'y' });
    expect(page.status).toBe(403);
  });

  it('a trusted proxy may declare that the request came over HTTPS', async () => {
    const secure = { 'x-forwarded-proto': 'https' };
    expect((await formOf(oauth.baseUrl, '/oauth/token', { client_id: 'x' }, secure)).status).toBe(401);
  });
});

describeOnBothDatabases('Without its database', (under) => {
  let oauth: OauthUnderTest;

  beforeAll(async () => {
    oauth = await startOauth(under.config);
    const down = () => Promise.reject(databaseUnavailable(new Error('down')));
    for (const access of ['query', 'read', 'readValues', 'transaction'] as const) {
      jest.spyOn(oauth.database, access).mockImplementation(down);
    }
  });
  afterAll(() => oauth.close());

  it('every endpoint returns 503 with Retry-After, in its own form', async () => {
    const refresh = { grant_type: 'refresh_token', refresh_token: 'x'.repeat(43), client_id: 'first-party' };
    const answers = await Promise.all([
      formOf(oauth.baseUrl, '/oauth/token', refresh),
      formOf(oauth.baseUrl, '/oauth/revoke', { token: 'x'.repeat(43), client_id: 'first-party' }),
      formOf(oauth.baseUrl, '/oauth/token', { client_id: ID, client_secret: 'secret' }),
    ]);
    for (const answer of answers) {
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await answer.json()).toEqual({
        error: 'temporarily_unavailable',
        error_description: 'The database cannot be reached in time.',
      });
    }
    const page = await fetch(`${oauth.baseUrl}/oauth/authorize?client_id=${ID}`);
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    const call = await oauth.bearer('x'.repeat(43)).get('/items');
    expect([call.status, (call.json() as { code: string }).code]).toEqual([503, 'database_unavailable']);
  });
});
