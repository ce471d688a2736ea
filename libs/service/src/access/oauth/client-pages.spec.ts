import { Browser, rawExchange } from '@items/testing';

import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { type CodeFlow, codeOf, startCodeFlow, type Tokens } from './testing/code-flow.testing.js';

const PAGE = 'https://page.example:8443';
const OTHER_PAGE = 'https://other.example';
const OWN_PAGE = 'https://own.example';

type Sent = Readonly<Record<string, string>>;

describeOnBothDatabases('Pages of applications without a secret and CORS (§5.5)', (under) => {
  let flow: CodeFlow;
  let page: CodeFlow;
  let other: CodeFlow;
  let tokens: Tokens;
  let otherTokens: Tokens;

  const register = async (origin: string): Promise<CodeFlow> => {
    const redirect_uris = [`${origin}/back`, 'http://localhost:9999/back'];
    const scopes = ['items:read', 'keys:manage'];
    return flow.for(await flow.register({ redirect_uris, scopes, token_endpoint_auth_method: 'none' }));
  };
  const logIn = async (application: CodeFlow, origin: string): Promise<Tokens> => {
    const redirect_uri = `${origin}/back`;
    const browser = new Browser(flow.oauth.baseUrl);
    const consent = await application.logIn(browser, { redirect_uri, scope: 'items:read keys:manage' });
    const code = codeOf(await browser.submit(consent, { decision: 'allow' }));
    const answer = await application.exchangeAs(code, { redirect_uri, client_id: application.client.client_id });
    return (await answer.json()) as Tokens;
  };

  beforeAll(async () => {
    flow = await startCodeFlow(under.config, { FIRST_PARTY_REDIRECTS: `${OWN_PAGE}/back` });
    [page, other] = [await register(PAGE), await register(OTHER_PAGE)];
    [tokens, otherTokens] = [await logIn(page, PAGE), await logIn(other, OTHER_PAGE)];
  });
  afterAll(() => flow.oauth.close());

  const send = (path: string, headers: Sent = {}, init: RequestInit = {}, origin = PAGE): Promise<Response> =>
    fetch(flow.oauth.baseUrl + path, { ...init, headers: { origin, ...headers }, redirect: 'manual' });
  const readable = ({ headers }: Response): string | null => headers.get('access-control-allow-origin');
  const bearer = (token: string): Sent => ({ authorization: `Bearer ${token}` });
  const form = (path: string, fields: Sent, origin = PAGE): Promise<Response> =>
    send(path, {}, { method: 'POST', body: new URLSearchParams(fields) }, origin);
  const json = (body: object): RequestInit => ({ method: 'POST', body: JSON.stringify(body) });

  it.each(['/.well-known/oauth-authorization-server'])('may read %s', async (path) => {
    expect(readable(await send(path))).toBe(PAGE);
    expect(readable(await send(path, {}, {}, 'http://localhost:9999'))).toBeNull();
    expect(readable(await send(path, {}, {}, 'https://page.example'))).toBeNull();
  });

  it.each(['/items', '/oauth/token', '/oauth/revoke', '/sessions', '/users/me'])(
    'get a response to the preflight of %s',
    async (path) => {
      const headers = { 'access-control-request-method': 'POST' };
      const answer = await send(path, headers, { method: 'OPTIONS' });
      expect([answer.status, readable(answer)]).toEqual([204, PAGE]);
      expect(answer.headers.get('access-control-allow-headers')).toContain('Authorization');
      expect(answer.headers.get('vary')).toContain('Origin');
    },
  );

  it.each(['/oauth/introspect', '/oauth/%69ntrospect', '/oauth/introspect?x=1'])(
    'get none to the preflight of %s',
    async (path) => {
      const answer = await send(path, { 'access-control-request-method': 'POST' }, { method: 'OPTIONS' });
      expect([readable(answer), answer.headers.get('access-control-allow-methods')]).toEqual([null, null]);
    },
  );

  it('may read the responses to their own client at /oauth/token and /oauth/revoke, errors included', async () => {
    const { client_id } = page.client;
    const refresh = await form('/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: (await logIn(page, PAGE)).refresh_token,
      client_id,
    });
    expect([refresh.status, readable(refresh)]).toEqual([200, PAGE]);
    expect(readable(await form('/oauth/token', { grant_type: 'refresh_token', client_id }))).toBe(PAGE);
    expect(readable(await form('/oauth/token', { grant_type: 'x', scope: 'nope', client_id }))).toBe(PAGE);
    expect(readable(await form('/oauth/revoke', { token: 'x', client_id }))).toBe(PAGE);
  });

  it.each<[string, () => Sent]>([
    ['another client', () => ({ client_id: other.client.client_id })],
    ['a client with a secret', () => ({ client_id: flow.client.client_id })],
    ['first-party', () => ({ client_id: 'first-party' })],
    ['no client', () => ({})],
  ])('may not read the responses to %s at these endpoints', async (_what, fields) => {
    const grant = { grant_type: 'refresh_token', refresh_token: 'x', token: 'x', ...fields() };
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect']) {
      expect(readable(await form(path, grant))).toBeNull();
    }
  });

  it('may not read /oauth/introspect, also for their own client', async () => {
    const { client_id } = page.client;
    expect(readable(await form('/oauth/introspect', { token: tokens.access_token, client_id }))).toBeNull();
  });

  it('may read a response to a token of their client, for any status', async () => {
    for (const [path, status] of [
      ['/items', 200],
      ['/users', 403],
      ['/items/01890000-0000-7000-8000-000000000001', 404],
      ['/items?limit=0', 400],
      ['/openapi.json', 200],
    ] as const) {
      const answer = await send(path, bearer(tokens.access_token));
      expect([path, answer.status, readable(answer)]).toEqual([path, status, PAGE]);
      expect(answer.headers.get('access-control-expose-headers')).toContain('ETag');
    }
  });

  it('may read the 401 of a bearer token, and no other 401', async () => {
    const expired = await send('/items', bearer('x'.repeat(43)));
    expect([expired.status, readable(expired)]).toEqual([401, PAGE]);
    for (const headers of [{}, { authorization: 'Basic YTpi' }, { 'x-api-key': 'x' }] as Sent[]) {
      const answer = await send('/items', headers);
      expect([answer.status, readable(answer)]).toEqual([401, null]);
    }
  });

  it('may not read a response to any other credential', async () => {
    const login = await flow.oauth.admin.post('/sessions', { username: 'mary', password: flow.oauth.password });
    const { access_token: session } = login.json() as Tokens;
    const made = await flow.oauth.bearer(tokens.access_token).post('/api-keys', { name: 'x', scopes: ['items:read'] });
    const { key } = made.json() as { key: string };
    const basic = `Basic ${Buffer.from(`mary:${flow.oauth.password}`).toString('base64')}`;
    for (const headers of [
      bearer(session),
      bearer(otherTokens.access_token),
      { 'x-api-key': key },
      { 'x-api-key': 'a'.repeat(32) },
      { authorization: basic },
    ] as Sent[]) {
      const answer = await send('/items', headers);
      expect([answer.status, readable(answer)]).toEqual([200, null]);
    }
    expect(readable(await send('/items', bearer(otherTokens.access_token), {}, OTHER_PAGE))).toBe(OTHER_PAGE);
  });

  it('may not read a response to no credential: a typed password, pages, keys, health', async () => {
    const headers = { 'content-type': 'application/json' };
    const password = { username: 'mary', password: flow.oauth.password };
    const login = await send('/sessions', headers, json(password));
    expect([login.status, readable(login)]).toEqual([201, null]);
    for (const path of ['/oauth/jwks', '/oauth/logout', '/openapi.json', '/health/live', '/docs', '/nothing']) {
      expect([path, readable(await send(path))]).toEqual([path, null]);
    }
  });

  it('do not stop a malformed preflight from being refused', async () => {
    const { port } = new URL(flow.oauth.baseUrl);
    const head = `OPTIONS /oauth/%zz HTTP/1.1\r\nHost: x\r\nOrigin: ${PAGE}\r\nAccess-Control-Request-Method: POST\r\n\r\n`;
    const { answer } = await rawExchange(Number(port), head);
    expect(answer?.status).toBe(400);
  });

  it('may read every response if they are first-party pages', async () => {
    for (const path of ['/items', '/oauth/jwks', '/.well-known/oauth-authorization-server']) {
      expect(readable(await send(path, {}, {}, OWN_PAGE))).toBe(OWN_PAGE);
    }
  });

  it('lose this access when the client is deleted', async () => {
    const gone = await register('https://gone.example');
    const preflight = async (): Promise<string | null> => {
      const headers = { 'access-control-request-method': 'GET' };
      return readable(await send('/items', headers, { method: 'OPTIONS' }, 'https://gone.example'));
    };
    expect(await preflight()).toBe('https://gone.example');
    await flow.oauth.admin.delete(`/clients/${gone.client.id}`);
    expect(await preflight()).toBeNull();
  });
});
