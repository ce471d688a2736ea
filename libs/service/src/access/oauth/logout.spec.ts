import { Browser } from '@items/testing';

import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { CALLBACK, type CodeFlow, codeOf, startCodeFlow, type Tokens } from './testing/code-flow.testing.js';

describeOnBothDatabases('/oauth/logout and another account (§5 OAuth 2.0)', (under) => {
  let flow: CodeFlow;

  beforeAll(async () => {
    flow = await startCodeFlow(under.config);
    await flow.oauth.addUser({ username: 'paul', role: 'member' });
  });
  afterAll(() => flow.oauth.close());

  it('is a page even if no user is logged in', async () => {
    const shown = await new Browser(flow.oauth.baseUrl).get('/oauth/logout');
    expect([shown.status, shown.text]).toEqual([200, expect.stringContaining('You are logged out')]);
    const strange = await fetch(`${flow.oauth.baseUrl}/oauth/logout`, { headers: { cookie: 'items_login=x; a=b' } });
    expect([strange.status, await strange.text()]).toEqual([200, expect.stringContaining('You are logged out')]);
  });

  it('ends the login of the browser, and no token', async () => {
    const browser = new Browser(flow.oauth.baseUrl);
    const code = codeOf(await browser.submit(await flow.logIn(browser), { decision: 'allow' }));
    const tokens = (await (await flow.exchange(code)).json()) as Tokens;
    const page = await browser.get('/oauth/logout');
    expect(page.text).toContain('<strong>mary</strong>');
    const after = await browser.submit(page, {});
    expect([after.status, after.text]).toEqual([200, expect.stringContaining('You are logged out')]);
    expect((await browser.get(flow.authorizeUrl())).text).toContain('name="password"');
    expect(await flow.statusWith(tokens.access_token)).toBe(200);
  });

  it('a form of another site is 400, and the login continues', async () => {
    const browser = new Browser(flow.oauth.baseUrl);
    await flow.logIn(browser);
    const answer = await fetch(`${flow.oauth.baseUrl}/oauth/logout`, {
      method: 'POST',
      headers: { origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' },
      redirect: 'manual',
    });
    expect(answer.status).toBe(400);
    expect((await browser.get('/oauth/logout')).text).toContain('<strong>mary</strong>');
  });

  it('the consent page names the user who is logged in, and lets another user log in', async () => {
    const browser = new Browser(flow.oauth.baseUrl);
    const consent = await flow.logIn(browser);
    expect(consent.text).toContain('<strong>mary</strong>');
    expect(consent.text).toContain('Use another account');
    const login = await browser.submit(consent, { decision: 'switch' });
    expect(login.text).toContain('name="password"');
    const other = await browser.submit(login, { username: 'paul', password: flow.oauth.password });
    expect(other.text).toContain('<strong>paul</strong>');
    const left = await browser.submit(other, { decision: 'allow' });
    const { access_token: token } = (await (await flow.exchange(codeOf(left))).json()) as Tokens;
    const introspected = (await flow.oauth.bearer(token).get('/items')).status;
    expect(introspected).toBe(200);
  });

  it.each([
    ['token', 'unsupported_response_type'],
    ['code id_token', 'unsupported_response_type'],
    [undefined, 'invalid_request'],
  ])('the response type %s is %s, in the query', async (type, error) => {
    const shown = await new Browser(flow.oauth.baseUrl).get(flow.authorizeUrl({ response_type: type }));
    expect(`${shown.left?.origin ?? ''}${shown.left?.pathname ?? ''}`).toBe(CALLBACK);
    expect(shown.left?.searchParams.get('error')).toBe(error);
    expect(shown.left?.hash).toBe('');
  });
});
