import type { Client } from '@items/dtos/contract';
import type { ErrorBody } from '@items/conventions';
import { Browser } from '@items/testing';

import { describeOnBothDatabases } from '../../../service/testing/fixture-database.testing.js';
import { CALLBACK, type CodeFlow, codeOf, errorOf, startCodeFlow, type Tokens } from '../testing/code-flow.testing.js';
import { formOf } from '../testing/oauth.testing.js';

describeOnBothDatabases('Applications without a secret (§5 OAuth 2.0)', (under) => {
  let flow: CodeFlow;

  beforeAll(async () => {
    flow = await startCodeFlow(under.config);
  });
  afterAll(() => flow.oauth.close());

  const publicInput = { scopes: ['items:read'], token_endpoint_auth_method: 'none' };
  const publicFlow = async (input: object = {}): Promise<CodeFlow> =>
    flow.for(await flow.register({ ...publicInput, ...input }));
  const send = (page: CodeFlow, path: string, fields: Record<string, string>): Promise<Response> =>
    formOf(page.oauth.baseUrl, path, { client_id: page.client.client_id, ...fields });
  const tokensOf = async (page: CodeFlow, redirectUri = CALLBACK): Promise<Tokens> => {
    const browser = new Browser(page.oauth.baseUrl);
    const login = await page.logIn(browser, { redirect_uri: redirectUri, scope: 'items:read' });
    const code = codeOf(await browser.submit(login, { decision: 'allow' }));
    const answer = await page.exchangeAs(code, { redirect_uri: redirectUri, client_id: page.client.client_id });
    expect(answer.status).toBe(200);
    return (await answer.json()) as Tokens;
  };

  it('have no secret in the response to their creation; other clients have one', async () => {
    const { client } = await publicFlow();
    expect(client).toMatchObject({
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    });
    expect(client).not.toHaveProperty('client_secret');
    expect(flow.client).toMatchObject({ token_endpoint_auth_method: 'client_secret_basic' });
  });

  it('may use codes and refresh tokens only: 422', async () => {
    const input = { name: 'x', redirect_uris: [CALLBACK], ...publicInput, grant_types: ['client_credentials'] };
    const answer = await flow.oauth.admin.post('/clients', input);
    expect([answer.status, (answer.json() as ErrorBody).details]).toMatchObject([422, [{ field: 'grant_types' }]]);
  });

  it('have no secret to rotate: 409 no_client_secret; a PUT may repeat the method, but not change it', async () => {
    const { client } = await publicFlow();
    const rotated = await flow.oauth.admin.post(`/clients/${client.id}/rotations`, {});
    expect([rotated.status, (rotated.json() as ErrorBody).code]).toEqual([409, 'no_client_secret']);
    const put = (method: string): Promise<{ status: number; json(): unknown }> =>
      flow.oauth.admin.put(`/clients/${client.id}`, { name: 'Page', token_endpoint_auth_method: method });
    expect((await put('none')).status).toBe(200);
    const changed = await put('client_secret_basic');
    expect([changed.status, (changed.json() as ErrorBody).details]).toMatchObject([
      422,
      [{ field: 'token_endpoint_auth_method', code: 'not_allowed', params: { values: ['none'] } }],
    ]);
    const shown = (await flow.oauth.admin.get(`/clients/${client.id}`)).json() as Client;
    expect(shown.token_endpoint_auth_method).toBe('none');
  });

  it('get tokens by client_id alone, rotate and revoke them', async () => {
    const page = await publicFlow();
    const first = await tokensOf(page);
    expect(await page.statusWith(first.access_token)).toBe(200);
    const renewed = await send(page, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: first.refresh_token,
    });
    const second = (await renewed.json()) as Tokens;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await send(page, '/oauth/revoke', { token: second.refresh_token })).status).toBe(200);
    expect(await page.statusWith(second.access_token)).toBe(401);
  });

  it('are refused at introspection, with an invented secret, and with a code but no verifier', async () => {
    const page = await publicFlow();
    const { access_token: token } = await tokensOf(page);
    expect(await errorOf(await send(page, '/oauth/introspect', { token }))).toEqual([401, 'invalid_client']);
    const secret = { client_secret: `ics_${'x'.repeat(43)}`, token };
    expect(await errorOf(await send(page, '/oauth/revoke', secret))).toEqual([401, 'invalid_client']);
    const asItself = { grant_type: 'client_credentials' };
    expect((await errorOf(await send(page, '/oauth/token', asItself)))[0]).toBe(400);
    const noVerifier = { grant_type: 'authorization_code', code: await page.newCode(), redirect_uri: CALLBACK };
    expect(await errorOf(await send(page, '/oauth/token', noVerifier))).toEqual([400, 'invalid_grant']);
  });

  it('cannot replace a client with a secret: its id alone proves nothing', async () => {
    const code = await flow.newCode();
    const answer = await flow.exchangeAs(code, { client_id: flow.client.client_id });
    expect(await errorOf(answer)).toEqual([401, 'invalid_client']);
  });

  it('may come back to any port of a loopback address, and need consent each time', async () => {
    const page = await publicFlow({ redirect_uris: ['http://127.0.0.1/back', 'http://[::1]/back'] });
    for (const redirect of ['http://127.0.0.1:4711/back', 'http://[::1]:8080/back']) await tokensOf(page, redirect);
    const browser = new Browser(page.oauth.baseUrl);
    const changes = { redirect_uri: 'http://127.0.0.1:1/back', scope: 'items:read' };
    await browser.submit(await page.logIn(browser, changes), { decision: 'allow' });
    const again = await browser.get(page.authorizeUrl(changes));
    expect(again.text).toContain('name="decision"');
  });

  it.each([
    ['http://localhost:3000/back', 'http://localhost:4000/back'],
    ['http://127.0.0.1/back', 'http://127.0.0.1/other'],
    ['http://127.0.0.1/back', 'http://127.0.0.1.evil.example/back'],
  ])('registered with %s are not sent to %s', async (registered, redirect) => {
    const page = await publicFlow({ redirect_uris: [registered, 'http://[::1]/other'] });
    const shown = await new Browser(page.oauth.baseUrl).get(page.authorizeUrl({ redirect_uri: redirect }));
    expect([shown.status, shown.left]).toEqual([400, undefined]);
    expect(shown.text).toContain('invalid_redirect_uri');
  });

  it('need consent once if they come back to https', async () => {
    const page = await publicFlow();
    const browser = new Browser(page.oauth.baseUrl);
    await browser.submit(await page.logIn(browser, { scope: 'items:read' }), { decision: 'allow' });
    const again = await browser.get(page.authorizeUrl({ scope: 'items:read' }));
    expect(again.left?.origin).toBe('https://shop.example');
  });
});
