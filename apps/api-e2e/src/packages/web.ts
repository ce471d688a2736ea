import { createClient } from '@items/client';
import { freePort, HttpClient, startApp, type RunningApp } from '@items/testing';
import { seed } from '@items/tools/seed/seed.ts';
import { runNpm } from '@items/tools/workspace/run.ts';
import type { Page } from 'playwright-core';

import { describeWithBrowser, openBrowser, takePicture, type OpenBrowser } from '../harness/browser.js';
import { installedCopy } from './consumer.js';
import { startPreview } from './vite-preview.js';

export function describeWeb(): void {
  describe('examples/web, with the service at another origin', () => {
    let app: RunningApp;
    let admin: HttpClient;
    let url: string;
    let folder: string;

    beforeAll(async () => {
      const port = await freePort();
      url = `http://127.0.0.1:${String(port)}`;
      app = await startApp({ database: 'sqlite', env: { CORS_ORIGINS: url } });
      admin = new HttpClient({ baseUrl: app.baseUrl, headers: [['X-API-Key', app.adminKey]] });
      ({ folder } = await installedCopy('examples/web'));
    });
    afterAll(() => app.stop());

    it('compiles, and Vite builds it', async () => {
      // Jest has set NODE_ENV to `test`, which Vite would use.
      const env = { VITE_ITEMS_URL: app.baseUrl, NODE_ENV: 'production' };
      const { ok, output } = await runNpm(['run', 'build'], { cwd: folder, limitMs: 120_000, env, output: 'collect' });
      expect(ok ? '' : output).toBe('');
    });

    describeWithBrowser('in Chromium', () => {
      let login: { readonly username: string; readonly password: string };
      let stopPreview: (() => void) | undefined;
      let browser: OpenBrowser | undefined;
      let page: Page;
      /** Requests of the page: method and path. */
      const sent: string[] = [];

      beforeAll(async () => {
        login = await seed(createClient({ baseUrl: app.baseUrl, auth: { apiKey: app.adminKey } }), () => undefined);
        stopPreview = await startPreview(folder, Number(new URL(url).port));
        browser = await openBrowser({ viewport: { width: 1100, height: 800 } });
        page = await browser.context.newPage();
        page.on('request', (request) => void sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
        page.setDefaultTimeout(20_000);
        await page.goto(url);
      });
      afterAll(async () => {
        await browser?.close();
        stopPreview?.();
      });

      const posts = (): number => sent.filter((line) => line === 'POST /items').length;
      const form = (label: string): ReturnType<Page['getByLabel']> => page.locator('#item-form').getByLabel(label);
      const create = (): Promise<void> => page.getByRole('button', { name: 'Create' }).click();

      it('refuses a wrong password, and lists the items after the right one', async () => {
        await takePicture(page, 'web-sign-in');
        await page.getByLabel('Username').fill(login.username);
        await page.getByLabel('Password').fill('not the password');
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('alert').filter({ hasText: /wrong/ }).waitFor();
        await page.getByLabel('Password').fill(login.password);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.locator('#items li').first().waitFor();
      });

      it('sends no invalid form, and shows the message of the service at each field', async () => {
        const answer = await admin.post('/items', { name: ' ', price: 1.005 });
        const { details } = answer.json() as { readonly details: readonly { readonly message: string }[] };
        const sentences = details.map(({ message }) => message);
        expect(sentences).toHaveLength(2);
        await form('Name').fill(' ');
        await form('Price').fill('1.005');
        await create();
        await page.locator('#item-form .error').nth(1).waitFor();
        expect(await page.locator('#item-form .error').allInnerTexts()).toEqual(sentences);
        expect(await form('Name').getAttribute('aria-invalid')).toBe('true');
        expect(await page.evaluate('document.activeElement.id')).toBe('name');
        expect(posts()).toBe(0);
        await takePicture(page, 'web-refused');
      });

      it('creates an item and shows it first', async () => {
        await form('Name').fill('Tall mug');
        await form('Color').fill('teal');
        await form('Price').fill('12.50');
        await create();
        await page.getByRole('status').filter({ hasText: '“Tall mug” has been created.' }).waitFor();
        expect(posts()).toBe(1);
        expect(await page.locator('#item-form .error').count()).toBe(0);
        expect(await page.locator('#items li').first().innerText()).toMatch(/^Tall mug\s*teal\s+12\.50$/);
      });

      it('loads more pages on scrolling, until each item of the service appears once', async () => {
        const { total } = (await admin.get('/items?per_page=1')).json() as { readonly total: number };
        const rows = page.locator('#items li');
        const before = sent.length;
        expect(await rows.count()).toBeLessThan(total);
        await takePicture(page, 'web-list');
        for (let scrolls = 0; scrolls < 50 && !(await page.getByText('That is all.').isVisible()); scrolls += 1) {
          const count = String(await rows.count());
          await rows.last().scrollIntoViewIfNeeded();
          await page.mouse.wheel(0, 2000);
          const grown = `document.querySelectorAll('#items li').length > ${count} || !document.getElementById('end').hidden`;
          await page.waitForFunction(grown);
        }
        const ids = await rows.evaluateAll((all) => all.map((row) => (row as unknown as { readonly id: string }).id));
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).toHaveLength(total);
        expect(sent.slice(before)).toContain('GET /items');
        await takePicture(page, 'web-end');
      });
    });
  });
}
