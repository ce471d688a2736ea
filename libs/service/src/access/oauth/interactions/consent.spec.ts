import { Browser } from '@items/testing';

import { describeOnBothDatabases } from '../../../service/testing/fixture-database.testing.js';
import { codeOf, startCodeFlow, type CodeFlow, type Tokens } from '../testing/code-flow.testing.js';
import { formOf } from '../testing/oauth.testing.js';

describeOnBothDatabases('The pages where a user logs in and decides (§5 OAuth 2.0)', (under) => {
  let flow: CodeFlow;

  beforeAll(async () => {
    flow = await startCodeFlow(under.config);
  });
  afterAll(() => flow.oauth.close());

  it('a refusal leads back with access_denied, and the same browser has to decide again', async () => {
    const browser = new Browser(flow.oauth.baseUrl);
    const denied = await browser.submit(await flow.logIn(browser), { decision: 'deny' });
    expect(denied.left?.searchParams.get('error')).toBe('access_denied');
    expect(denied.left?.searchParams.get('state')).toBe('xyz');
    expect(denied.left?.searchParams.has('code')).toBe(false);
    expect((await browser.get(flow.authorizeUrl())).text).toContain('value="allow"');
  });

  it('an approval in this browser is not requested again', async () => {
    const browser = new Browser(flow.oauth.baseUrl);
    await browser.submit(await flow.logIn(browser), { decision: 'allow' });
    const again = await browser.get(flow.authorizeUrl({ state: 'second' }));
    expect(again.left?.searchParams.get('state')).toBe('second');
    expect(codeOf(again)).toMatch(/^[\w-]{43}$/);
  });

  it('a form of another site, or without its cookie, is refused', async () => {
    const browser = new Browser(flow.oauth.baseUrl);
    const login = await browser.get(flow.authorizeUrl());
    const fields = { username: 'mary', password: flow.oauth.password };
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const refused = await browser.submit(login, fields, foreign);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('This form was not sent by a page of this service');
    expect(refused.text).not.toMatch(/application that sent you|developers of the application/);
    expect((await browser.submit(login, fields, { origin: 'null' })).status).toBe(400);
    expect((await new Browser(flow.oauth.baseUrl).submit(login, fields)).status).toBe(400);
    const consent = await browser.submit(login, fields);
    expect((await browser.submit(consent, { decision: 'allow' }, foreign)).status).toBe(400);
    expect((await new Browser(flow.oauth.baseUrl).submit(consent, { decision: 'allow' })).status).toBe(400);
    expect((await browser.submit(consent, { decision: 'allow' })).left?.origin).toBe('https://shop.example');
  });

  it('a page is served only at its own address', async () => {
    const [mine, theirs] = [new Browser(flow.oauth.baseUrl), new Browser(flow.oauth.baseUrl)];
    const [own, other] = [await mine.get(flow.authorizeUrl()), await theirs.get(flow.authorizeUrl())];
    const cookie = mine.cookiesFor(own.url.pathname);
    const fields = { username: 'mary', password: flow.oauth.password };
    const answer = await formOf(flow.oauth.baseUrl, other.url.pathname, fields, { cookie });
    expect(answer.status).toBe(400);
  });

  it('a login gives the browser a new session, so that a planted session is useless', async () => {
    const browser = new Browser(flow.oauth.baseUrl);
    const consent = await flow.logIn(browser);
    const before = browser.cookiesFor('/oauth/authorize');
    expect(before).toContain('items_login=');
    await browser.submit(consent, { decision: 'allow' });
    const after = browser.cookiesFor('/oauth/authorize');
    const sessionIn = (cookies: string): string => /items_login=([^;]+)/.exec(cookies)?.[1] ?? 'none';
    expect(after).toContain('items_login=');
    expect(sessionIn(after)).not.toBe(sessionIn(before));
    const planted = await fetch(flow.oauth.baseUrl + flow.authorizeUrl(), {
      headers: { cookie: 'items_login=planted; items_login.sig=planted' },
      redirect: 'manual',
    });
    expect(planted.headers.getSetCookie().join()).not.toContain('planted');
  });

  it('another user who logs in with the same browser gets a session of their own, and no page with a script', async () => {
    await flow.oauth.addUser({ username: 'paula', role: 'viewer' });
    const browser = new Browser(flow.oauth.baseUrl);
    await browser.submit(await flow.logIn(browser), { decision: 'allow' });
    const consent = await flow.logIn(browser, { prompt: 'login' }, 'paula');
    expect(consent.text).toContain('<strong>paula</strong>');
    const tokens = (await (
      await flow.exchange(codeOf(await browser.submit(consent, { decision: 'allow' })))
    ).json()) as Tokens;
    expect(tokens.scope).toBe('items:read');
  });

  it('its pages may not be framed, run no script, and are not cached', async () => {
    const login = await new Browser(flow.oauth.baseUrl).get(flow.authorizeUrl());
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

  it('a user sees their approvals, and withdraws one', async () => {
    await flow.oauth.addUser({ username: 'gerd', role: 'viewer' });
    const browser = new Browser(flow.oauth.baseUrl);
    const code = codeOf(await browser.submit(await flow.logIn(browser, {}, 'gerd'), { decision: 'allow' }));
    const tokens = (await (await flow.exchange(code)).json()) as Tokens;
    const gerd = flow.oauth.basic('gerd');
    const { grants } = (await gerd.get('/users/me/grants')).json() as { grants: { id: string }[] };
    expect(grants).toEqual([
      {
        id: expect.any(String),
        user_id: expect.any(String),
        client_id: flow.client.client_id,
        client_name: 'Web shop',
        scopes: ['items:read'],
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    const path = `/users/me/grants/${String(grants[0]?.id)}`;
    expect((await gerd.delete(path)).status).toBe(204);
    expect(await flow.statusWith(tokens.access_token)).toBe(401);
    expect((await browser.get(flow.authorizeUrl())).text).toContain('value="allow"');
  });
});
