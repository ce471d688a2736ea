import { createHash, randomBytes } from 'node:crypto';

import type { CreatedClient } from '@items/contracts';
import { Browser, type Shown } from '@items/testing';

import { describeOnBothDatabases } from '../database/database.testing.js';
import { formOf, startOauth, type OauthUnderTest } from './oauth.testing.js';

const CALLBACK = 'https://shop.example/callback';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope: string;
}

describeOnBothDatabases('OAuth 2.0 authorization code (§5)', (under) => {
  let oauth: OauthUnderTest;
  let client: CreatedClient;
  let verifier: string;

  beforeAll(async () => {
    oauth = await startOauth(under.config);
    await oauth.addUser({ username: 'mary', role: 'member' });
    client = await register({ scopes: ['items:read', 'items:write', 'clients:manage'] });
    verifier = randomBytes(32).toString('base64url');
  });
  afterAll(() => oauth.close());

  const register = async (input: object): Promise<CreatedClient> => {
    const answer = await oauth.admin.post('/clients', { name: 'Web shop', redirect_uris: [CALLBACK], ...input });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.json() as CreatedClient;
  };
  const authorizeUrl = (changes: Readonly<Record<string, string | undefined>> = {}): string => {
    const all = {
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: CALLBACK,
      scope: 'items:read items:write',
      state: 'xyz',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...changes,
    };
    const given = Object.entries<string | undefined>(all).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as [string, string]],
    );
    return `/oauth/authorize?${new URLSearchParams(given).toString()}`;
  };
  const logIn = async (
    browser: Browser,
    changes: Readonly<Record<string, string | undefined>> = {},
    username = 'mary',
  ): Promise<Shown> => {
    const login = await browser.get(authorizeUrl(changes));
    return browser.submit(login, { username, password: oauth.password });
  };
  const codeOf = (shown: Shown): string => shown.left?.searchParams.get('code') ?? `none: ${shown.text}`;
  const newCode = async (changes: Readonly<Record<string, string | undefined>> = {}): Promise<string> => {
    const browser = new Browser(oauth.baseUrl);
    return codeOf(await browser.submit(await logIn(browser, changes), { decision: 'allow' }));
  };
  const basic = (id = client.client_id, secret = client.client_secret): Record<string, string> => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  });
  const exchange = (code: string, changes: Readonly<Record<string, string>> = {}): Promise<Response> =>
    formOf(
      oauth.baseUrl,
      '/oauth/token',
      { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier, ...changes },
      basic(),
    );
  const statusWith = async (token: string): Promise<number> => (await oauth.bearer(token).get('/items')).status;
  const errorOf = async (answer: Response): Promise<[number, unknown]> => [
    answer.status,
    ((await answer.json()) as { error: unknown }).error,
  ];

  it('leads over login and consent to a code, tokens, a call, a refresh, revocation and 401', async () => {
    const browser = new Browser(oauth.baseUrl);
    const login = await browser.get(authorizeUrl());
    expect(login.status).toBe(200);
    expect(login.text).toContain('<h1>Log in</h1>');
    expect(login.text).toContain('Web shop');

    const wrong = await browser.submit(login, { username: 'mary', password: 'wrong password' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('Username or password is wrong.');

    const consent = await browser.submit(login, { username: 'mary', password: oauth.password });
    expect(consent.text).toContain('See items');
    expect(consent.text).toContain('Create, change and delete items');

    const done = await browser.submit(consent, { decision: 'allow' });
    expect(done.left?.href).toContain(`${CALLBACK}?`);
    expect(done.left?.searchParams.get('state')).toBe('xyz');

    const answer = await exchange(codeOf(done));
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const tokens = (await answer.json()) as Tokens;
    expect(tokens).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'items:read items:write',
    });
    expect(await statusWith(tokens.access_token)).toBe(200);

    const renewed = (await (
      await formOf(
        oauth.baseUrl,
        '/oauth/token',
        { grant_type: 'refresh_token', refresh_token: tokens.refresh_token },
        basic(),
      )
    ).json()) as Tokens;
    expect(await statusWith(renewed.access_token)).toBe(200);
    const introspected = await formOf(oauth.baseUrl, '/oauth/introspect', { token: renewed.access_token }, basic());
    expect(await introspected.json()).toMatchObject({
      active: true,
      client_id: client.client_id,
      scope: 'items:read items:write',
      token_type: 'Bearer',
    });
    const revoked = await formOf(oauth.baseUrl, '/oauth/revoke', { token: renewed.refresh_token }, basic());
    expect(revoked.status).toBe(200);
    expect(await statusWith(renewed.access_token)).toBe(401);
    const dead = await formOf(oauth.baseUrl, '/oauth/introspect', { token: renewed.access_token }, basic());
    expect(await dead.json()).toEqual({ active: false });
  });

  it('a refusal leads back with access_denied, and the same browser is asked again', async () => {
    const browser = new Browser(oauth.baseUrl);
    const denied = await browser.submit(await logIn(browser), { decision: 'deny' });
    expect(denied.left?.searchParams.get('error')).toBe('access_denied');
    expect(denied.left?.searchParams.get('state')).toBe('xyz');
    expect(denied.left?.searchParams.has('code')).toBe(false);
    expect((await browser.get(authorizeUrl())).text).toContain('value="allow"');
  });

  it('what was approved in this browser is not asked for again', async () => {
    const browser = new Browser(oauth.baseUrl);
    await browser.submit(await logIn(browser), { decision: 'allow' });
    const again = await browser.get(authorizeUrl({ state: 'second' }));
    expect(again.left?.searchParams.get('state')).toBe('second');
    expect(codeOf(again)).toMatch(/^[\w-]{43}$/);
  });

  it("a scope beyond the client's or the user's is left out of what is granted", async () => {
    const code = await newCode({ scope: 'items:read clients:manage orders:read openid nonsense' });
    const tokens = (await (await exchange(code)).json()) as Tokens;
    expect(tokens.scope).toBe('items:read');
  });

  it('a code that comes twice is refused, and ends what it gave', async () => {
    const code = await newCode();
    const tokens = (await (await exchange(code)).json()) as Tokens;
    expect(await errorOf(await exchange(code))).toEqual([400, 'invalid_grant']);
    expect(await statusWith(tokens.access_token)).toBe(401);
  });

  it('of 16 uses of one code at once exactly one wins', async () => {
    const code = await newCode();
    const answers = await Promise.all(Array.from({ length: 16 }, () => exchange(code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(15).fill(400)]);
  });

  it.each([
    ['another verifier', { code_verifier: 'a'.repeat(43) }, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 'invalid_grant'],
    ['another redirect_uri', { redirect_uri: `${CALLBACK}2` }, 'invalid_grant'],
  ])('a code with %s is refused', async (_what, changes, error) => {
    expect(await errorOf(await exchange(await newCode(), changes))).toEqual([400, error]);
  });

  it.each<[Readonly<Record<string, string | undefined>>, string]>([
    [{ code_challenge: undefined, code_challenge_method: undefined }, 'no PKCE'],
    [{ code_challenge_method: 'plain' }, 'PKCE by plain'],
    [{ code_challenge_method: undefined }, 'PKCE without a method'],
    [{ response_type: 'token' }, 'the implicit grant'],
  ])('%j, %s, leads back with an error and without a code', async (changes, _what) => {
    const shown = await new Browser(oauth.baseUrl).get(authorizeUrl(changes));
    expect(shown.left?.searchParams.get('error') ?? shown.left?.hash).toMatch(
      /invalid_request|unsupported_response_type/,
    );
    expect(shown.left?.href).not.toContain('code=');
  });

  it.each([
    `${CALLBACK}/`,
    `${CALLBACK}?x=1`,
    `${CALLBACK}#x`,
    `${CALLBACK}/../evil`,
    CALLBACK.replace('https', 'http'),
    CALLBACK.replace('shop.example', 'shop.example.evil.example'),
    CALLBACK.replace('shop.example', 'SHOP.example'),
    CALLBACK.replace('shop.example', 'shop.example:443'),
    CALLBACK.replace('https://', 'https://user@'),
    CALLBACK.replace('callback', '%63allback'),
    'javascript:alert(1)',
    '//evil.example',
    '',
    undefined,
  ])('the redirect_uri %s, which is not registered, is told to nobody but the browser', async (redirectUri) => {
    const shown = await new Browser(oauth.baseUrl).get(authorizeUrl({ redirect_uri: redirectUri }));
    expect(shown.left).toBeUndefined();
    expect(shown.status).toBe(400);
    expect(shown.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(shown.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(shown.text).toContain('<h1>This did not work</h1>');
  });

  it('a form that another site sends is refused, and so is one without its cookie', async () => {
    const browser = new Browser(oauth.baseUrl);
    const login = await browser.get(authorizeUrl());
    const fields = { username: 'mary', password: oauth.password };
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await browser.submit(login, fields, foreign)).status).toBe(400);
    expect((await browser.submit(login, fields, { origin: 'null' })).status).toBe(400);
    expect((await new Browser(oauth.baseUrl).submit(login, fields)).status).toBe(400);
    const consent = await browser.submit(login, fields);
    expect((await browser.submit(consent, { decision: 'allow' }, foreign)).status).toBe(400);
    expect((await new Browser(oauth.baseUrl).submit(consent, { decision: 'allow' })).status).toBe(400);
    expect((await browser.submit(consent, { decision: 'allow' })).left?.origin).toBe('https://shop.example');
  });

  it('a page is answered at its own address alone', async () => {
    const [mine, theirs] = [new Browser(oauth.baseUrl), new Browser(oauth.baseUrl)];
    const [own, other] = [await mine.get(authorizeUrl()), await theirs.get(authorizeUrl())];
    const cookie = mine.cookiesFor(own.url.pathname);
    const fields = { username: 'mary', password: oauth.password };
    const answer = await formOf(oauth.baseUrl, other.url.pathname, fields, { cookie });
    expect(answer.status).toBe(400);
  });

  it('a login gives the browser another session, so that nobody can have planted the one before', async () => {
    const browser = new Browser(oauth.baseUrl);
    const consent = await logIn(browser);
    const before = browser.cookiesFor('/oauth/authorize');
    expect(before).toContain('items_login=');
    await browser.submit(consent, { decision: 'allow' });
    const after = browser.cookiesFor('/oauth/authorize');
    expect(/items_login=([^;]+)/.exec(after)?.[1]).not.toBe(/items_login=([^;]+)/.exec(before)?.[1]);
    const planted = await fetch(oauth.baseUrl + authorizeUrl(), {
      headers: { cookie: 'items_login=planted; items_login.sig=planted' },
      redirect: 'manual',
    });
    expect(planted.headers.getSetCookie().join()).not.toContain('planted');
  });

  it('somebody else who logs in with the same browser gets his own, and no page with a script', async () => {
    await oauth.addUser({ username: 'paula', role: 'viewer' });
    const browser = new Browser(oauth.baseUrl);
    await browser.submit(await logIn(browser), { decision: 'allow' });
    const consent = await logIn(browser, { prompt: 'login' }, 'paula');
    expect(consent.text).toContain('<strong>paula</strong>');
    const tokens = (await (
      await exchange(codeOf(await browser.submit(consent, { decision: 'allow' })))
    ).json()) as Tokens;
    expect(tokens.scope).toBe('items:read');
  });

  it('its metadata follow the base URL, whatever Host and forwarding headers say', async () => {
    const answer = await fetch(`${oauth.baseUrl}/.well-known/oauth-authorization-server`, {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' },
    });
    const metadata = (await answer.json()) as Record<string, unknown>;
    expect(JSON.stringify(metadata)).not.toContain('evil');
    expect(metadata).toMatchObject({
      issuer: 'http://localhost:3000',
      authorization_endpoint: 'http://localhost:3000/oauth/authorize',
      token_endpoint: 'http://localhost:3000/oauth/token',
      revocation_endpoint: 'http://localhost:3000/oauth/revoke',
      introspection_endpoint: 'http://localhost:3000/oauth/introspect',
      jwks_uri: 'http://localhost:3000/oauth/jwks',
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      grant_types_supported: expect.arrayContaining(['authorization_code', 'refresh_token', 'client_credentials']),
    });
    const keys = (await (await fetch(`${oauth.baseUrl}/oauth/jwks`)).json()) as { keys: object[] };
    expect(keys.keys).toEqual([expect.not.objectContaining({ d: expect.anything() })]);
  });

  it('its pages may not be framed, run nothing, and are kept by nobody', async () => {
    const login = await new Browser(oauth.baseUrl).get(authorizeUrl());
    const policy = login.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' https://shop.example");
    expect(policy).not.toContain('unsafe');
    expect(login.headers.get('x-frame-options')).toBe('DENY');
    expect(login.headers.get('referrer-policy')).toBe('same-origin');
    expect(login.headers.get('cache-control')).toBe('no-store');
    expect(login.headers.get('x-request-id')).not.toBeNull();
    expect(login.headers.get('api-version')).not.toBeNull();
    expect(login.text).not.toContain('<script');
  });

  it('client_credentials gives the client what it may itself, and no user', async () => {
    const machine = await register({ grant_types: ['client_credentials'], redirect_uris: [], scopes: ['items:read'] });
    const answer = await formOf(
      oauth.baseUrl,
      '/oauth/token',
      { grant_type: 'client_credentials', scope: 'items:read items:write' },
      basic(machine.client_id, machine.client_secret),
    );
    const tokens = (await answer.json()) as Tokens;
    expect(tokens).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'items:read',
    });
    expect(await statusWith(tokens.access_token)).toBe(200);
    const bearer = oauth.bearer(tokens.access_token);
    expect((await bearer.get('/users/me')).status).not.toBe(200);
    expect((await bearer.get('/users/me/grants')).status).toBe(404);
    await oauth.admin.delete(`/clients/${machine.id}`);
    expect(await statusWith(tokens.access_token)).toBe(401);
  });

  it('a user sees what he has approved, and takes it back', async () => {
    await oauth.addUser({ username: 'gerd', role: 'viewer' });
    const browser = new Browser(oauth.baseUrl);
    const code = codeOf(await browser.submit(await logIn(browser, {}, 'gerd'), { decision: 'allow' }));
    const tokens = (await (await exchange(code)).json()) as Tokens;
    const gerd = oauth.basic('gerd');
    const { grants } = (await gerd.get('/users/me/grants')).json() as { grants: { id: string }[] };
    expect(grants).toEqual([
      {
        id: expect.any(String),
        user_id: expect.any(String),
        client_id: client.client_id,
        client_name: 'Web shop',
        scopes: ['items:read'],
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    const path = `/users/me/grants/${String(grants[0]?.id)}`;
    expect((await gerd.delete(path)).status).toBe(204);
    expect(await statusWith(tokens.access_token)).toBe(401);
    expect((await browser.get(authorizeUrl())).text).toContain('value="allow"');
  });

  it('a client of which it is not knows nothing: errors follow the RFCs, and none is a page', async () => {
    const wrong = await formOf(
      oauth.baseUrl,
      '/oauth/token',
      { grant_type: 'client_credentials' },
      basic('nobody', 'x'),
    );
    expect(wrong.headers.get('www-authenticate')).toContain('Basic');
    expect(await errorOf(wrong)).toEqual([401, 'invalid_client']);
    const unsupported = await formOf(oauth.baseUrl, '/oauth/token', { grant_type: 'password' }, basic());
    expect(await errorOf(unsupported)).toEqual([400, 'unsupported_grant_type']);
    const json = await fetch(`${oauth.baseUrl}/oauth/token`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json', accept: 'text/html', ...basic() },
    });
    expect(await errorOf(json)).toEqual([400, 'invalid_request']);
    const other = await register({ scopes: ['items:read'] });
    const foreign = await formOf(
      oauth.baseUrl,
      '/oauth/introspect',
      { token: ((await (await exchange(await newCode())).json()) as Tokens).access_token },
      basic(other.client_id, other.client_secret),
    );
    expect(await foreign.json()).toEqual({ active: false });
  });

  it('a rotated secret works until its grace ends', async () => {
    const rotating = await register({ grant_types: ['client_credentials'], redirect_uris: [], scopes: ['items:read'] });
    const statusOf = async (secret: string): Promise<number> =>
      (
        await formOf(
          oauth.baseUrl,
          '/oauth/token',
          { grant_type: 'client_credentials' },
          basic(rotating.client_id, secret),
        )
      ).status;
    const rotate = async (grace: number): Promise<string> =>
      ((await oauth.admin.post(`/clients/${rotating.id}/rotations`, { grace_seconds: grace })).json() as CreatedClient)
        .client_secret;
    const second = await rotate(60);
    expect([await statusOf(rotating.client_secret), await statusOf(second)]).toEqual([200, 200]);
    const third = await rotate(0);
    expect([await statusOf(rotating.client_secret), await statusOf(second), await statusOf(third)]).toEqual([
      401, 401, 200,
    ]);
  });
});
