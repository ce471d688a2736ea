import { createHash, randomBytes } from 'node:crypto';

import { GRANT_TYPES, type CreatedApiKey, type CreatedClient, type CreatedSession } from '@items/dtos/contract';
import {
  Browser,
  databaseRows,
  provideDatabase,
  rawExchange,
  startApp,
  type Answer,
  type HttpClient,
  type RunningApp,
  type TestDatabase,
} from '@items/testing';
import * as openid from 'openid-client';

import { unobserved } from '../harness/clients.js';
import { leaksIn } from '../harness/leaks.js';
import { oauthClient } from '../harness/oauth-client.js';
import { expectStatus } from '../harness/reading.js';
import { databaseUnderTest, describeStarted } from '../harness/service.js';
import { clientToken, issuerOf, withToken } from '../harness/tokens.js';
import { basic, withBasic } from '../harness/users.js';

/** Returns the body of a successful response. */
function bodyOf(answer: Answer): unknown {
  expectStatus(answer, 200, 201, 204);
  return answer.text === '' ? undefined : answer.json();
}

describeStarted('§5 Secrets', () => {
  /** Values that must be neither in the database nor in the log. */
  const secrets = new Map<string, string>();
  /** Values of clients that must not be in the log. */
  const unlogged = new Map<string, string>();
  const secret = (name: string, value = `S3cret-${randomBytes(16).toString('hex')}`): string => {
    secrets.set(name, value);
    return value;
  };
  const content = (name: string): string => {
    const value = `content-${randomBytes(16).toString('hex')}`;
    unlogged.set(name, value);
    return value;
  };

  let database: TestDatabase;
  let app: RunningApp;
  let anonymous: HttpClient;
  let admin: HttpClient;
  let log: readonly string[];
  /** All rows of the database, collected at several moments. */
  const rows = new Set<string>();
  const look = async (): Promise<void> => {
    for (const row of await databaseRows(database.url)) rows.add(row);
  };
  const keyed = (key: string): HttpClient => anonymous.withHeaders(['X-API-Key', key]);

  beforeAll(async () => {
    database = await provideDatabase(databaseUnderTest());
    const env = {
      ADMIN_API_KEY: secret('ADMIN_API_KEY'),
      CURSOR_SECRET: `${secret('CURSOR_SECRET')},${secret('former')}`,
    };
    app = await startApp({ database: databaseUnderTest(), databaseUrl: database.url, env });
    anonymous = unobserved.withOptions({ baseUrl: app.baseUrl });
    admin = keyed(app.adminKey);
    await useKeys();
    await usePasswords();
    await useSessions();
    await useOauth();
    await useWrongly();
    await app.end();
    await look();
    log = app.process.log().split('\n');
  });
  afterAll(async () => {
    await app.stop();
    await database.drop();
  });

  async function useKeys(): Promise<void> {
    const scopes = ['items:read', 'keys:manage'];
    const first = bodyOf(await admin.post('/api-keys', { name: 'Key', scopes })) as CreatedApiKey;
    secret('API key', first.key);
    for (const name of ['rotated API key', 'API key rotated again']) {
      const once = ['Idempotency-Key', name.replaceAll(' ', '-')] as const;
      const { key } = bodyOf(await admin.post(`/api-keys/${first.id}/rotations`, {}, once)) as CreatedApiKey;
      bodyOf(await keyed(secret(name, key)).get('/items?limit=1'));
    }
    expectStatus(await keyed(first.key).get('/items'), 401);
    await look();
  }

  async function usePasswords(): Promise<void> {
    const password = secret('password');
    const once = ['Idempotency-Key', 'mary'] as const;
    bodyOf(await admin.post('/users', { username: 'mary', role: 'admin', password }, once));
    bodyOf(await admin.post('/users', { username: 'mary', role: 'admin', password }, once));
    expectStatus(await withBasic('mary', secret('wrong password'), anonymous).get('/items'), 401);
    const mary = withBasic('mary', password, anonymous);
    const changed = secret('changed password');
    const wrong = { current_password: secret('wrong current password'), password: secret('password not taken') };
    expectStatus(await mary.put('/users/me/password', wrong), 422);
    bodyOf(await mary.put('/users/me/password', { current_password: password, password: changed }));
    const reset = { username: 'mary', password: secret('password set by an administrator') };
    bodyOf(await withBasic('mary', changed, anonymous).put('/users/me', reset));
    secret('Basic', basic('mary', reset.password)[1].replace('Basic ', ''));
  }

  const login = (): object => ({ username: 'mary', password: secrets.get('password set by an administrator') });

  async function useSessions(): Promise<void> {
    expectStatus(await anonymous.post('/sessions', { ...login(), password: secret('wrong at login') }), 401);
    const session = bodyOf(await anonymous.post('/sessions', login())) as CreatedSession;
    bodyOf(await withToken(secret('access token', session.access_token), anonymous).get('/items'));
    secret('refresh token', session.refresh_token);
    const refresh = (token: string): Promise<Answer> =>
      anonymous.send('POST', '/oauth/token', {
        headers: [['Content-Type', 'application/x-www-form-urlencoded']],
        body: `grant_type=refresh_token&client_id=first-party&refresh_token=${token}`,
      });
    const renewed = bodyOf(await refresh(session.refresh_token)) as CreatedSession;
    bodyOf(await withToken(secret('renewed access token', renewed.access_token), anonymous).get('/items'));
    secret('renewed refresh token', renewed.refresh_token);
    await look();
    expectStatus(await refresh(session.refresh_token), 400);
    expectStatus(await refresh(secret('unknown refresh token')), 400);
  }

  async function useOauth(): Promise<void> {
    const issuer = await issuerOf(anonymous);
    const client = await oauthClient(issuer, admin, { grant_types: GRANT_TYPES });
    const { config, registered } = client;
    secret('client secret', registered.client_secret);
    const own = secret('client_credentials token', await clientToken(client, ['items:read']));
    bodyOf(await withToken(own, anonymous).get('/items'));

    const { url, verifier, finish } = await client.begin('items:read');
    secret('PKCE verifier', verifier);
    const browser = new Browser(new URL(issuer).origin);
    const page = await browser.get(url);
    keepCookies('before the login', browser.cookiesFor(page.url.pathname));
    await look();
    const consent = await browser.submit(page, login() as Record<string, string>);
    keepCookies('after the login', browser.cookiesFor(consent.url.pathname));
    await look();
    const { left } = await browser.submit(consent, { decision: 'allow' });
    secret('authorization code', left?.searchParams.get('code') ?? '');
    await look();
    const tokens = await finish(left!);
    bodyOf(await withToken(secret('OAuth access token', tokens.access_token), anonymous).get('/items'));
    secret('OAuth refresh token', tokens.refresh_token ?? '');
    const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    secret('renewed OAuth access token', renewed.access_token);
    secret('renewed OAuth refresh token', renewed.refresh_token ?? '');
    await look();
    await openid.tokenIntrospection(config, renewed.access_token);
    await openid.tokenRevocation(config, renewed.access_token);
    await expect(finish(left!)).rejects.toThrow();

    const rotated = bodyOf(await admin.post(`/clients/${registered.id}/rotations`, {})) as CreatedClient;
    secret('rotated client secret', rotated.client_secret);
    await client.close();
  }

  /** Cookie values are secrets: they identify a browser, or an authorization that waits for its user. */
  function keepCookies(when: string, cookies: string): void {
    for (const cookie of cookies.split('; ')) {
      const [name = '', value = ''] = cookie.split('=');
      secret(`cookie ${name} ${when}`, value);
    }
  }

  /** Sends secrets in the wrong places, where they are still secret. */
  async function useWrongly(): Promise<void> {
    await anonymous.get('/items', ['X-API-Key', secret('wrong key')]);
    await anonymous.get('/items', ['Authorization', `Bearer ${secret('wrong bearer token')}`]);
    await anonymous.get('/items', ['Authorization', `Basic ${secret('no base64 of a pair')}`]);
    await anonymous.get('/items', ['Authorization', `Digest ${secret('of an unknown scheme')}`]);
    await admin.get('/items', ['Authorization', `Bearer ${secret('beside another')}`]);
    for (const name of ['api_key', 'token', 'Password', 'client_secret']) {
      await admin.get(`/items?${name}=${secret(`${name} in the URL`)}`);
      await anonymous.get(`/oauth/authorize?${name}=${secret(`${name} in the URL of a page`)}`);
    }
    await admin.get('/items', ['Cookie', `session=${secret('cookie of somebody else')}`]);
    await anonymous.post('/sessions', { username: secret('password as username'), password: secret('and again') });
    await admin.post('/users', { username: 'x', password: 'short', [secret('as a name')]: secret('unknown field') });
    const headers = [['Content-Type', 'application/json']] as const;
    await anonymous.send('POST', '/sessions', { headers, body: `{"password":"${secret('in malformed JSON')}` });
    await rawExchange(app.port, `GET /${secret('garbage')} HTTP/9\r\nX-API-Key: ${secret('in garbage')}\r\n\r\n`);
    await rawExchange(app.port, `GET /items/%ZZ?token=${secret('in a bad target')} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await admin.get(`/items?color=${content('value in the URL')}&${content('name in the URL')}=1`);
    await admin.post('/items', { name: content('name'), description: content('description') });
    await admin.post('/items', { name: 'x' }, ['Idempotency-Key', content('Idempotency-Key')]);
  }

  it('are of every kind', () => {
    expect([...secrets.keys()].filter((name) => name.startsWith('cookie ')).length).toBeGreaterThanOrEqual(4);
    expect(secrets.size).toBeGreaterThan(50);
  });

  it('are not in the database in any encoding', () => {
    expect(leaksIn([...rows], secrets)).toEqual([]);
  });

  it('are not in the log in any encoding, and neither is the input of clients', () => {
    expect(leaksIn(log, new Map([...secrets, ...unlogged]))).toEqual([]);
  });

  it('would be found: the database has a hash of each kind, and the log has a line for each action', () => {
    for (const name of ['API key rotated again', 'client secret', 'OAuth refresh token', 'ADMIN_API_KEY']) {
      const hash = createHash('sha256')
        .update(secrets.get(name) ?? '')
        .digest('base64url');
      expect([name, [...rows].some((row) => row.includes(hash))]).toEqual([name, true]);
    }
    for (const event of ['login_failed', 'login_succeeded', 'code_issued']) {
      expect([event, log.some((line) => line.includes(`"event":"${event}"`))]).toEqual([event, true]);
    }
    expect([...rows].some((row) => row.includes(unlogged.get('description') ?? '?'))).toBe(true);
  });
});
