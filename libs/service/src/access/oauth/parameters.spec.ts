import type { CreatedClient } from '@items/dtos/contract';
import { Browser } from '@items/testing';

import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { CALLBACK, type CodeFlow, errorOf, startCodeFlow, type Tokens } from './testing/code-flow.testing.js';
import { formOf } from './testing/oauth.testing.js';

const LIBRARY_SCOPES = 'openid profile email offline_access';

describeOnBothDatabases('Parameters of the OAuth endpoints (§5.5)', (under) => {
  let flow: CodeFlow;
  let machine: Required<CreatedClient>;

  beforeAll(async () => {
    flow = await startCodeFlow(under.config, {
      BASE_URL: 'HTTP://LocalHost:80/',
      FIRST_PARTY_REDIRECTS: 'https://page.example/back',
    });
    machine = await flow.register({
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scopes: ['items:read', 'items:write'],
    });
  });
  afterAll(() => flow.oauth.close());

  const token = (fields: Readonly<Record<string, string>>): Promise<Response> => {
    const { client_id, client_secret } = machine;
    return formOf(flow.oauth.baseUrl, '/oauth/token', {
      grant_type: 'client_credentials',
      client_id,
      client_secret,
      ...fields,
    });
  };
  const scopeOf = async (answer: Response): Promise<unknown> => ((await answer.json()) as Tokens).scope;
  const tokensOf = async (changes: Readonly<Record<string, string>> = {}): Promise<Tokens> =>
    (await (await flow.exchange(await flow.newCode(changes))).json()) as Tokens;
  const refresh = async (fields: Readonly<Record<string, string>>): Promise<Response> => {
    const { refresh_token } = await tokensOf();
    const form = { grant_type: 'refresh_token', refresh_token, ...fields };
    return formOf(flow.oauth.baseUrl, '/oauth/token', form, flow.basic());
  };
  /** Requests the authorization endpoint. Returns the page or the redirect. */
  const shown = (changes: Readonly<Record<string, string>>): ReturnType<Browser['get']> =>
    new Browser(flow.oauth.baseUrl).get(flow.authorizeUrl(changes));

  describe('a scope that does not exist', () => {
    it.each(['nope', 'items:read nope', 'items:delete', 'items:read\titems:write', ' '])(
      '%p is invalid_scope at /oauth/token, for every grant',
      async (scope) => {
        expect(await errorOf(await token({ scope }))).toEqual([400, 'invalid_scope']);
        expect(await errorOf(await refresh({ scope }))).toEqual([400, 'invalid_scope']);
        expect(await errorOf(await flow.exchange(await flow.newCode(), { scope }))).toEqual([400, 'invalid_scope']);
      },
    );

    it('is reported to an authenticated client, and to a client without a secret', async () => {
      expect(await errorOf(await token({ scope: 'nope', client_secret: 'wrong' }))).toEqual([401, 'invalid_client']);
      const grant = { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'first-party', scope: 'nope' };
      expect(await errorOf(await formOf(flow.oauth.baseUrl, '/oauth/token', grant))).toEqual([400, 'invalid_scope']);
    });

    it.each(['nope', 'items:read nope', 'openid nope', 'items:read "', ' '])(
      '%p leads back to the client with invalid_scope and state',
      async (scope) => {
        const { left } = await shown({ scope });
        expect(left?.href).toMatch(`${CALLBACK}?`);
        expect([left?.searchParams.get('error'), left?.searchParams.get('state')]).toEqual(['invalid_scope', 'xyz']);
        const ownPage = { client_id: 'first-party', redirect_uri: 'https://page.example/back', scope };
        expect((await shown(ownPage)).left?.searchParams.get('error')).toBe('invalid_scope');
      },
    );

    it.each(['', 'nope', 'items:read nope', 'openid', ' '])(
      '%p is 422 at POST /sessions, which names scope',
      async (scope) => {
        const answer = await flow.oauth.admin.post('/sessions', {
          username: 'mary',
          password: flow.oauth.password,
          scope,
        });
        expect([answer.status, answer.json()]).toMatchObject([
          422,
          {
            code: 'validation_failed',
            details: [{ field: 'scope', code: 'not_allowed', params: { values: expect.any(Array) } }],
          },
        ]);
      },
    );
  });

  describe('the scopes of OpenID Connect', () => {
    it('are ignored at /oauth/token', async () => {
      expect(await scopeOf(await token({ scope: `${LIBRARY_SCOPES} items:read` }))).toBe('items:read');
      expect(await scopeOf(await token({ scope: LIBRARY_SCOPES }))).toBe('items:read items:write');
      expect(await scopeOf(await refresh({ scope: `items:read ${LIBRARY_SCOPES}` }))).toBe('items:read');
    });

    it('are ignored at /oauth/authorize', async () => {
      expect((await tokensOf({ scope: `${LIBRARY_SCOPES} items:read` })).scope).toBe('items:read');
      expect((await tokensOf({ scope: LIBRARY_SCOPES })).scope).toBe('items:read items:write');
    });
  });

  it('are treated as omitted if they have no value', async () => {
    expect(await scopeOf(await token({ scope: '' }))).toBe('items:read items:write');
    expect(await scopeOf(await refresh({ scope: '', resource: '' }))).toBe('items:read items:write');
    const code = await flow.newCode({ scope: '', resource: '', prompt: '', response_mode: '', nonce: '', state: '' });
    expect((await flow.exchange(code, { resource: '', scope: '' })).status).toBe(200);
    expect(await errorOf(await token({ grant_type: '' }))).toEqual([400, 'invalid_request']);
  });

  it('an empty client_secret of a client without a secret is treated as omitted', async () => {
    const page = flow.for(await flow.register({ scopes: ['items:read'], token_endpoint_auth_method: 'none' }));
    const code = await page.newCode({ scope: 'items:read' });
    const answer = await page.exchangeAs(code, { client_id: page.client.client_id, client_secret: '' });
    expect(answer.status).toBe(200);
    const { refresh_token: value } = (await answer.json()) as Tokens;
    const form = { token: value, token_type_hint: '', client_id: page.client.client_id, client_secret: '' };
    expect((await formOf(flow.oauth.baseUrl, '/oauth/revoke', form)).status).toBe(200);
  });

  it.each<Readonly<Record<string, string>>>([
    { nonce: 'n' },
    { max_age: '0' },
    { max_age: 'soon' },
    { acr_values: 'urn:mace:incommon:iap:silver' },
    { id_token_hint: 'not.a.token' },
    { ui_locales: 'de' },
    { claims: '{"id_token":{"email":null}}' },
    { display: 'popup' },
    { login_hint: 'mary' },
    { prompt: 'select_account' },
    { prompt: 'select_account consent' },
    { nonce: 'n', max_age: '3600', scope: 'openid items:read', login_hint: 'mary', prompt: 'select_account login' },
  ])('are ignored if only OpenID Connect defines them: %j', async (changes) => {
    const page = await shown(changes);
    expect([page.left, page.status]).toEqual([undefined, 200]);
    expect(page.text).toContain('<h1>Log in</h1>');
    expect((await tokensOf(changes)).access_token).toEqual(expect.any(String));
  });

  it('prompt=select_account shows the login page to a browser that is logged in', async () => {
    const browser = new Browser(flow.oauth.baseUrl);
    await browser.submit(await flow.logIn(browser), { decision: 'allow' });
    expect((await browser.get(flow.authorizeUrl())).left).toBeDefined();
    expect((await browser.get(flow.authorizeUrl({ prompt: 'select_account' }))).text).toContain('<h1>Log in</h1>');
  });

  it.each(['http://localhost', 'http://localhost/', 'http://localhost:80', 'HTTP://LOCALHOST:80/'])(
    'resource=%s is the service, whose BASE_URL is HTTP://LocalHost:80/',
    async (resource) => {
      const code = await flow.newCode({ resource });
      expect((await flow.exchange(code, { resource })).status).toBe(200);
      expect((await token({ resource })).status).toBe(200);
    },
  );

  it.each([
    'http://localhost:8080',
    'https://localhost',
    'http://localhost/items',
    'http://localhost/?',
    'http://localhost//',
  ])('resource=%s is another resource: invalid_target', async (resource) => {
    expect((await shown({ resource })).left?.searchParams.get('error')).toBe('invalid_target');
    expect(await errorOf(await token({ resource }))).toEqual([400, 'invalid_target']);
  });

  it('the documents and the Bearer challenge name the normalized BASE_URL', async () => {
    const read = async (path: string): Promise<unknown> => (await fetch(flow.oauth.baseUrl + path)).json();
    expect(await read('/.well-known/oauth-protected-resource')).toMatchObject({ resource: 'http://localhost' });
    expect(await read('/.well-known/oauth-authorization-server')).toMatchObject({ issuer: 'http://localhost' });
    const { headers } = await fetch(`${flow.oauth.baseUrl}/items`);
    expect(headers.get('www-authenticate')).toContain('resource_metadata="http://localhost/.well-known/');
  });

  it.each(['?a', '?a=', '?a&b=', '?', '?x=%20y+z', "?q='(~)'", '?a=1&a=2', '?next=/a?b', '?x&'])(
    'the query %s of a redirect URI is retained byte for byte',
    async (query) => {
      const uri = CALLBACK + query;
      const client = await flow.register({ scopes: ['items:read'], redirect_uris: [uri] });
      const registered = flow.for(client);
      const url = registered.authorizeUrl({ redirect_uri: uri, scope: 'items:read', prompt: 'none' });
      const { headers } = await fetch(flow.oauth.baseUrl + url, { redirect: 'manual' });
      const refused = headers.get('location') ?? '';
      const start = uri + (/[?&]$/.test(uri) ? '' : '&');
      expect(refused.slice(0, start.length + 6)).toBe(`${start}error=`);
      expect(refused).toContain('state=xyz');
    },
  );

  it('the code is appended to the query of the redirect URI', async () => {
    const uri = `${CALLBACK}?a&state=own`;
    const registered = flow.for(await flow.register({ scopes: ['items:read'], redirect_uris: [uri] }));
    const browser = new Browser(flow.oauth.baseUrl);
    const login = await registered.logIn(browser, { redirect_uri: uri, scope: 'items:read' });
    const { left } = await browser.submit(login, { decision: 'allow' });
    expect(left?.search).toMatch(/^\?a&state=own&state=xyz&code=[\w-]{43}&iss=http%3A%2F%2Flocalhost$/);
    const answer = await registered.exchange(left?.searchParams.get('code') ?? '', { redirect_uri: uri });
    expect(answer.status).toBe(200);
  });
});
