import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { freePort, HttpClient, type RunningApp, startApp } from '@items/testing';
import type { Page } from 'playwright-core';

import { describeInBrowser, type OpenBrowser, openBrowser } from '../harness/chromium.js';
import { createItem } from '../harness/items.js';
import { databaseUnderTest } from '../harness/service.js';
import { createUser, PASSWORD } from '../harness/users.js';
import { bundleForBrowser, serveFiles } from './serve-page.js';

const text = readFileSync(join(__dirname, '../../../../docs/keep-a-copy.md'), 'utf8');

describeInBrowser('docs/keep-a-copy.md: its page', () => {
  let port: number;
  let files: Readonly<Record<string, string>>;
  let app: RunningApp;
  let admin: HttpClient;
  let browser: OpenBrowser;
  let page: Page;
  let stopPage: () => void;

  beforeAll(async () => {
    port = await freePort();
    const env = { FIRST_PARTY_REDIRECTS: `http://localhost:${port}/` };
    app = await startApp({ database: databaseUnderTest(), env });
    admin = new HttpClient({ baseUrl: app.baseUrl }).withHeaders(['X-API-Key', app.adminKey]);
    const script = blockAfter('page.js').replace('http://localhost:3000', `http://localhost:${app.port}`);
    files = {
      '/': blockAfter('index.html'),
      '/main.js': await bundleForBrowser(script),
      '/worker.js': blockAfter('worker.js'),
    };
    stopPage = await serveFiles(port, files);
    browser = await openBrowser();
    page = await browser.context.newPage();
    page.setDefaultTimeout(20_000);
  });
  afterAll(async () => {
    await browser.close();
    stopPage();
    await app.stop('SIGKILL');
  });

  it('shows items and their changes, also offline, and removes them at the logout', async () => {
    const { username } = await createUser({ role: 'viewer' }, admin);
    await createItem({ name: 'Mug', price: 4.35 }, admin);
    await page.goto(`http://localhost:${port}`);
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Mug: 4.35').waitFor();
    await createItem({ name: 'Bowl', price: 3 }, admin);
    await page.getByText('Bowl: 3').waitFor();

    stopPage();
    await app.end('SIGKILL');
    await page.reload();
    await page.getByText('Bowl: 3').waitFor();
    await page.getByText('offline').waitFor();
    expect(await page.locator('#items li').count()).toBe(2);

    stopPage = await serveFiles(port, files);
    // The service is stopped, so the revocation fails. The rows are deleted before it.
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.waitForFunction(`document.querySelectorAll('#items li').length === 0`);
  });
});

/** Returns the code block after the name of its file. */
function blockAfter(name: string): string {
  return new RegExp(`^\`${name}\`[^\\n]*:\\n\\n\`\`\`\\w+\\n(.*?)^\`\`\``, 'ms').exec(text)?.[1] ?? '';
}
