import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import type { CreatedClient } from '@items/dtos/contract';
import { startApp, type RunningApp } from '@items/testing';
import type { Page } from 'playwright-core';

import { describeInBrowser, openBrowser, type OpenBrowser } from '../harness/chromium.js';
import { anonymous } from '../harness/clients.js';
import { expectStatus } from '../harness/reading.js';
import { databaseUnderTest } from '../harness/service.js';

const PASSWORD = 'correct horse battery';
const LIBS = join(import.meta.dirname, '../../../../libs');
const IMPORTS = {
  '@items/client': '/client/dist/index.js',
  '@items/client/oauth': '/client/dist/oauth/index.js',
  '@items/dtos/contract': '/dtos/dist/contract/index.js',
  '@items/conventions': '/conventions/dist/index.js',
};

/** A page that imports the built packages without a bundler. Login and client are globals. */
const html = (issuer: string, clientId: string): string => `<!doctype html><title>Page</title>
  <script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>
  <script type="module">
    import { createClient } from '@items/client';
    import { createLogin } from '@items/client/oauth';
    const options = { baseUrl: '${issuer}', clientId: '${clientId}', redirectUri: location.origin + '/callback' };
    globalThis.login = createLogin({ ...options, scopes: ['items:read'], storage: localStorage });
    globalThis.pages = async (count) => {
      const auth = await login.resume();
      const { items } = createClient({ baseUrl: '${issuer}', auth });
      return (await Promise.all(Array.from({ length: count }, () => items.page()))).length;
    };
    document.title = 'Ready';
  </script>`;

describeInBrowser('§5 OAuth 2.0 of a page on @items/client/oauth', () => {
  let app: RunningApp;
  let server: Server;
  let origin: string;
  let content = '';
  let browser: OpenBrowser;
  let tokenRequests = 0;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://page').pathname;
      const isModule = path.endsWith('.js');
      response.setHeader('content-type', isModule ? 'text/javascript' : 'text/html');
      response.end(isModule ? readFileSync(join(LIBS, path)) : content);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    app = await startApp({ database: databaseUnderTest(), env: { CORS_ORIGINS: origin } });
    const admin = anonymous.withOptions({ baseUrl: app.baseUrl }).withHeaders(['X-API-Key', app.adminKey]);
    const user = { username: 'mary', password: PASSWORD, name: 'Mary', role: 'member' };
    expectStatus(await admin.post('/users', user), 201);
    const client = await admin.post('/clients', {
      name: 'Page',
      redirect_uris: [`${origin}/callback`],
      scopes: ['items:read'],
      token_endpoint_auth_method: 'none',
    });
    expectStatus(client, 201);
    content = html(`http://localhost:${String(app.port)}`, (client.json() as CreatedClient).client_id);
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await app.stop();
  });
  beforeEach(async () => {
    browser = await openBrowser();
    tokenRequests = 0;
    browser.context.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/oauth/token')) tokenRequests += 1;
    });
  });
  afterEach(() => browser.close());

  const opened = async (): Promise<Page> => {
    const page = await browser.context.newPage();
    await page.goto(origin);
    await page.waitForFunction('document.title === "Ready"');
    return page;
  };
  const loggedIn = async (): Promise<Page> => {
    const page = await opened();
    await page.goto(await page.evaluate<string>('login.start()'));
    await page.getByLabel('Username').fill('mary');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${origin}/callback?**`);
    await page.waitForFunction('document.title === "Ready"');
    await page.evaluate('login.finish(location.href).then(() => undefined)');
    return page;
  };

  it('it logs in, calls, continues in another tab, and logs out of both', async () => {
    const page = await loggedIn();
    expect(await page.evaluate('pages(1)')).toBe(1);
    const again = page.evaluate("login.finish(location.href).then(() => 'the same', (error) => error.code)");
    expect(await again).toBe('the same');
    const other = await opened();
    expect(await other.evaluate('pages(1)')).toBe(1);
    expect(tokenRequests).toBe(1);
    await other.evaluate('login.logout()');
    expect(await page.evaluate('login.resume()')).toBeUndefined();
  });

  it('one of several tabs refreshes for all', async () => {
    const tabs = [await loggedIn(), await opened(), await opened()];
    await tabs[0]?.evaluate(`for (const key of Object.keys(localStorage)) {
      localStorage[key] = localStorage[key].replace(/"endsAtMs":\\d+/, '"endsAtMs":0');
    }`);
    expect(await Promise.all(tabs.map((page) => page.evaluate('pages(5)')))).toEqual([5, 5, 5]);
    expect(tokenRequests).toBe(2);
  });
});
