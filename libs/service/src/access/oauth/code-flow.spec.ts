import { connect } from 'node:net';

import { Browser } from '@items/testing';

import { permissions } from '../../service/testing/fixture.testing.js';
import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { CALLBACK, codeOf, errorOf, startCodeFlow, type CodeFlow, type Tokens } from './testing/code-flow.testing.js';
import { formOf } from './testing/oauth.testing.js';

describeOnBothDatabases('OAuth 2.0 authorization code (§5)', (under) => {
  let flow: CodeFlow;

  beforeAll(async () => {
    flow = await startCodeFlow(under.config);
  });
  afterAll(() => flow.oauth.close());

  it('leads over login and consent to a code, tokens, a call, a refresh, revocation and 401', async () => {
    const browser = new Browser(flow.oauth.baseUrl);
    const login = await browser.get(flow.authorizeUrl());
    expect(login.status).toBe(200);
    expect(login.text).toContain('<h1>Log in</h1>');
    expect(login.text).toContain('Web shop');

    const wrong = await browser.submit(login, { username: 'mary', password: 'wrong password' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('Username or password is wrong.');

    const consent = await browser.submit(login, { username: 'mary', password: flow.oauth.password });
    expect(consent.text).toContain('See items');
    expect(consent.text).toContain('Create, change and delete items');

    const done = await browser.submit(consent, { decision: 'allow' });
    expect(done.left?.href).toContain(`${CALLBACK}?`);
    expect(done.left?.searchParams.get('state')).toBe('xyz');

    const answer = await flow.exchange(codeOf(done));
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const tokens = (await answer.json()) as Tokens;
    expect(tokens).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'items:read items:write',
    });
    expect(await flow.statusWith(tokens.access_token)).toBe(200);

    const renewed = (await (
      await formOf(
        flow.oauth.baseUrl,
        '/oauth/token',
        { grant_type: 'refresh_token', refresh_token: tokens.refresh_token },
        flow.basic(),
      )
    ).json()) as Tokens;
    expect(await flow.statusWith(renewed.access_token)).toBe(200);
    const introspected = await formOf(
      flow.oauth.baseUrl,
      '/oauth/introspect',
      { token: renewed.access_token },
      flow.basic(),
    );
    expect(await introspected.json()).toMatchObject({
      active: true,
      client_id: flow.client.client_id,
      scope: 'items:read items:write',
      token_type: 'Bearer',
    });
    const revoked = await formOf(flow.oauth.baseUrl, '/oauth/revoke', { token: renewed.refresh_token }, flow.basic());
    expect(revoked.status).toBe(200);
    expect(await flow.statusWith(renewed.access_token)).toBe(401);
    const dead = await formOf(flow.oauth.baseUrl, '/oauth/introspect', { token: renewed.access_token }, flow.basic());
    expect(await dead.json()).toEqual({ active: false });
  });

  it('a scope that the client or the user does not have is omitted from the grant', async () => {
    const code = await flow.newCode({ scope: 'items:read clients:manage notes:read openid' });
    const tokens = (await (await flow.exchange(code)).json()) as Tokens;
    expect(tokens.scope).toBe('items:read');
  });

  it('the second use of a code is refused, and its tokens end', async () => {
    const code = await flow.newCode();
    const tokens = (await (await flow.exchange(code)).json()) as Tokens;
    expect(await errorOf(await flow.exchange(code))).toEqual([400, 'invalid_grant']);
    expect(await flow.statusWith(tokens.access_token)).toBe(401);
  });

  it('exactly one of 16 concurrent uses of one code succeeds', async () => {
    const code = await flow.newCode();
    const answers = await Promise.all(Array.from({ length: 16 }, () => flow.exchange(code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(15).fill(400)]);
  });

  it.each([
    ['another verifier', { code_verifier: 'a'.repeat(43) }, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 'invalid_grant'],
    ['another redirect_uri', { redirect_uri: `${CALLBACK}2` }, 'invalid_grant'],
  ])('a code with %s is refused', async (_what, changes, error) => {
    expect(await errorOf(await flow.exchange(await flow.newCode(), changes))).toEqual([400, error]);
  });

  it.each<[Readonly<Record<string, string | undefined>>, string]>([
    [{ code_challenge: undefined, code_challenge_method: undefined }, 'no PKCE'],
    [{ code_challenge_method: 'plain' }, 'PKCE by plain'],
    [{ code_challenge_method: undefined }, 'PKCE without a method'],
    [{ response_type: 'token' }, 'the implicit grant'],
    [{ response_mode: 'form_post' }, 'a form that sends itself'],
    [{ response_mode: 'fragment' }, 'an answer in the fragment'],
  ])('%j, %s, leads back with an error and without a code', async (changes, _what) => {
    const shown = await new Browser(flow.oauth.baseUrl).get(flow.authorizeUrl(changes));
    expect(shown.left?.searchParams.get('error') ?? shown.left?.hash).toMatch(
      /invalid_request|unsupported_response_(type|mode)/,
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
  ])('the error for the unregistered redirect_uri %s is shown only in the browser', async (redirectUri) => {
    const shown = await new Browser(flow.oauth.baseUrl).get(flow.authorizeUrl({ redirect_uri: redirectUri }));
    expect(shown.left).toBeUndefined();
    expect(shown.status).toBe(400);
    expect(shown.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(shown.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(shown.text).toContain('<h1>This did not work</h1>');
  });

  it('lists only supported features: no OpenID Connect, and one response mode', async () => {
    const { baseUrl } = flow.oauth;
    const metadata = (await (await fetch(`${baseUrl}/.well-known/oauth-authorization-server`)).json()) as object;
    expect(metadata).toMatchObject({
      scopes_supported: [...permissions.scopes],
      response_modes_supported: ['query'],
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    });
    expect(Object.keys(metadata).filter((name) => /claim|id_token|subject|userinfo/.test(name))).toEqual([]);
    const openid = await fetch(`${baseUrl}/.well-known/openid-configuration`);
    expect([openid.status, await openid.json()]).toEqual([404, expect.objectContaining({ code: 'route_not_found' })]);
  });

  it('the metadata names the base URL, for any Host of the request', async () => {
    const own = new URL(flow.oauth.baseUrl);
    const answer = await exchangeRaw(own, [
      'GET http://evil.example/.well-known/oauth-authorization-server HTTP/1.1',
      'Host: evil.example',
      'X-Forwarded-Host: evil.example',
      'Connection: close',
    ]);
    expect(answer).not.toContain('evil.example');
  });
});

/** Sends a raw request, and reads the response to its end. */
function exchangeRaw({ hostname, port }: URL, lines: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('error', reject).on('end', () => {
      resolve(text);
    });
  });
}
