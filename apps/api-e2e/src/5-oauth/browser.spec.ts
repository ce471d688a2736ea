import { closingFetch, startApp, type HttpClient, type RunningApp } from '@items/testing';
import * as openid from 'openid-client';
import type { Page } from 'playwright-core';

import { describeInBrowser, openBrowser, takePicture, type OpenBrowser } from '../harness/chromium.js';
import { anonymous } from '../harness/clients.js';
import { oauthClient, type OauthClient } from '../harness/oauth-client.js';
import { expectStatus } from '../harness/reading.js';
import { databaseUnderTest } from '../harness/service.js';

const PASSWORD = 'correct horse battery';

describeInBrowser('§5 OAuth 2.0 by Chromium and openid-client', () => {
  let app: RunningApp;
  let issuer: string;
  let admin: HttpClient;
  let client: OauthClient;
  let browser: OpenBrowser;
  let page: Page;

  beforeAll(async () => {
    app = await startApp({ database: databaseUnderTest() });
    issuer = `http://localhost:${String(app.port)}`;
    admin = anonymous.withOptions({ baseUrl: app.baseUrl }).withHeaders(['X-API-Key', app.adminKey]);
    client = await oauthClient(issuer, admin);
    const user = { username: 'mary', password: PASSWORD, name: 'Mary', role: 'member' };
    expectStatus(await admin.post('/users', user), 201);
  });
  afterAll(async () => {
    await client.close();
    await app.stop();
  });
  beforeEach(async () => {
    // The pages must work without JavaScript.
    browser = await openBrowser({ javaScriptEnabled: false });
    page = await browser.context.newPage();
  });
  afterEach(() => browser.close());

  const logIn = async (password = PASSWORD): Promise<void> => {
    await page.getByLabel('Username').fill('mary');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
  };
  const call = async (token: string): Promise<number> =>
    (await closingFetch(`${issuer}/items`, { headers: { authorization: `Bearer ${token}` } })).status;

  it('wrong password, login, consent, code, token, call, refresh, revoke, 401', async () => {
    const { url, finish } = await client.begin('items:read items:write orders:read');
    await page.goto(url.href);
    expect(await page.title()).toBe('Log in – Items');
    expect(await page.getByRole('main').innerText()).toContain('Mug Planner');

    await logIn('wrong password');
    expect(await page.getByRole('alert').innerText()).toBe('Username or password is wrong.');
    expect(await page.getByLabel('Password').getAttribute('aria-describedby')).toBe('error');
    expect(await page.getByLabel('Username').inputValue()).toBe('mary');

    await logIn();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Allow Mug Planner to use your account?');
    expect(await page.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringContaining('See items'),
      expect.stringContaining('Create, change and delete items'),
      expect.stringContaining('See your own orders'),
    ]);
    await page.getByRole('button', { name: 'Allow' }).click();

    const tokens = await finish(await client.nextCallback());
    expect(tokens.scope).toBe('items:read items:write orders:read');
    expect(await call(tokens.access_token)).toBe(200);
    const renewed = await openid.refreshTokenGrant(client.config, tokens.refresh_token ?? '');
    expect(await call(renewed.access_token)).toBe(200);
    expect(await openid.tokenIntrospection(client.config, renewed.access_token)).toMatchObject({ active: true });
    await openid.tokenRevocation(client.config, renewed.access_token);
    expect(await call(renewed.access_token)).toBe(401);
  });

  it('denial returns to the application without a code', async () => {
    const { url, finish } = await client.begin('items:read');
    await page.goto(url.href);
    await logIn();
    await page.getByRole('button', { name: 'Deny' }).click();
    const back = await client.nextCallback();
    expect(back.searchParams.get('error')).toBe('access_denied');
    await expect(finish(back)).rejects.toThrow(/denied|authorization response/);
  });

  it('the pages work by the keyboard alone', async () => {
    const { url } = await client.begin('items:read');
    await page.goto(url.href);
    // Wait for the focus: before it, a loaded page would lose the first keys.
    await page.locator('input[name=username]:focus').waitFor();
    await page.keyboard.type('mary');
    await page.keyboard.press('Tab');
    await page.locator('input[name=password]:focus').waitFor();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    for (let steps = 0; steps < 5; steps++) {
      await page.keyboard.press('Tab');
      if ((await page.locator('button[value=allow]:focus').count()) > 0) break;
    }
    await page.keyboard.press('Enter');
    expect((await client.nextCallback()).searchParams.has('code')).toBe(true);
  });

  it('no element of the pages is wider than a phone, in light and in dark mode', async () => {
    const shoot = async (name: string): Promise<void> => {
      for (const [width, colorScheme] of [
        [360, 'dark'],
        [1024, 'light'],
      ] as const) {
        await page.setViewportSize({ width, height: 720 });
        await page.emulateMedia({ colorScheme });
        const content = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect(content).toBeLessThanOrEqual(width);
        await takePicture(page, `${name}-${colorScheme}`, { fullPage: true });
      }
    };
    const { url } = await client.begin('items:read items:write orders:read');
    await page.goto(url.href);
    await shoot('login');
    await logIn('wrong password');
    await shoot('login-error');
    await logIn();
    await shoot('consent');
    await page.goto(`${issuer}/oauth/authorize?client_id=nobody`);
    await shoot('error');
  });

  it('another site can neither frame the pages nor send their forms', async () => {
    const { url } = await client.begin('items:read');
    await page.goto(url.href);
    const target = page.url();
    const evil = `<iframe src="${target}"></iframe>
      <form method="post" action="${target}"><input name="username" value="mary"><button>Free mugs</button></form>`;
    await page.route('https://evil.example/', (route) => route.fulfill({ contentType: 'text/html', body: evil }));
    await page.goto('https://evil.example/');
    const framed = page.frames().find((frame) => frame !== page.mainFrame());
    expect(await framed?.locator('input[name=password]').count()).toBe(0);
    const answered = page.waitForResponse(target);
    await page.getByRole('button', { name: 'Free mugs' }).click();
    expect((await answered).status()).toBe(400);
  });
});
