import { runInNewContext } from 'node:vm';

import { createClient, type RequestEvent } from '@items/client';
import { startApp, type RunningApp } from '@items/testing';
import type { Page } from 'playwright-core';

import { describeInBrowser, openBrowser, type OpenBrowser } from '../harness/chromium.js';
import { anonymous } from '../harness/clients.js';
import { databaseUnderTest } from '../harness/service.js';

/** Of the page's own process; its start without any page is not counted. ADR 76 */
const MAX_LOAD_CPU_SECONDS = 2;

interface ShownOperation {
  readonly operationId?: string;
  readonly 'x-codeSamples'?: readonly { readonly source: string }[];
}
type ShownPaths = Readonly<Record<string, Readonly<Record<string, ShownOperation>>>>;

describeInBrowser('/docs in Chromium', () => {
  let app: RunningApp;
  let browser: OpenBrowser;
  let page: Page;
  let complaints: string[];
  let elsewhere: string[];

  beforeAll(async () => {
    app = await startApp({ database: databaseUnderTest() });
  });
  afterAll(() => app.stop());

  const open = async (width: number): Promise<void> => {
    browser = await openBrowser({ viewport: { width, height: 900 } });
    page = await browser.context.newPage();
    complaints = [];
    elsewhere = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('request', (request) => request.url().startsWith(app.baseUrl) || elsewhere.push(request.url()));
    await page.goto(`${app.baseUrl}/docs`);
    // Scalar has replaced the page without scripts.
    await page.locator('.page').waitFor({ state: 'detached' });
  };
  afterEach(async () => {
    // The page complies with its policy, and requests only this server.
    expect([complaints, elsewhere]).toEqual([[], []]);
    await browser.close();
  });

  const search = async (text: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(text);
    await page.getByRole('option', { name: text }).first().click();
    await page.waitForURL(/#/);
  };

  it('has a table of contents at the side, and finds an operation by its words', async () => {
    await open(1280);
    const contents = page.getByRole('complementary');
    for (const title of ['Items', 'Orders', 'Webhooks']) {
      await contents.getByRole('link', { name: title, exact: true }).waitFor();
    }
    await search('Create an item');
    expect(page.url()).toContain('#tag/items/POST/items');
    expect(await page.getByRole('heading', { name: 'Create an item' }).isVisible()).toBe(true);
  });

  it('has code for curl, Python and @items/client, and no other', async () => {
    await open(1280);
    await search('Create an item');
    const operation = page.getByRole('region', { name: 'Create an item' });
    await operation.getByRole('button', { name: /^Shell Curl/ }).click();
    await page.getByRole('option').first().waitFor();
    expect((await page.getByRole('option').allInnerTexts()).sort()).toEqual(['@items/client', 'Curl', 'Requests']);
    await page.getByRole('option', { name: '@items/client' }).click();
    await operation.getByText("client.collection('items').create").waitFor();
  });

  it('tries a request with a key that it does not store', async () => {
    await open(1280);
    const key = page.getByLabel('Value').first();
    await key.fill(app.adminKey);
    await search('Create an item');
    await page.getByRole('button', { name: /Test Request.*post \/items\)/ }).click();
    const response = page.waitForResponse((each) => each.request().method() === 'POST');
    await page.getByRole('button', { name: /^Send/ }).first().click();
    expect((await response).status()).toBe(201);
    await page.getByRole('link', { name: 'Created' }).waitFor();
    const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(stored).not.toContain(app.adminKey);
    expect(await browser.context.cookies()).toEqual([]);
    await page.reload();
    expect(await key.inputValue()).toBe('');
  });

  it('fits a screen of 390 px, and takes at most 2 s of CPU to load', async () => {
    await open(390);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const session = await browser.context.newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.reload();
    // Scalar has replaced the page without scripts.
    await page.locator('.page').waitFor({ state: 'detached' });
    const { metrics } = await session.send('Performance.getMetrics');
    const cpu = metrics.find(({ name }) => name === 'TaskDuration')?.value;
    expect(cpu).toBeGreaterThan(0.1);
    expect(cpu).toBeLessThan(MAX_LOAD_CPU_SECONDS);
  });

  it('has code for @items/client that sends what the operation takes', async () => {
    await open(1280);
    const { text } = await anonymous.having({ baseUrl: app.baseUrl }).get('/docs');
    const [, reference = ''] = /data-reference="([^"]+)"/.exec(text) ?? [];
    const { paths } = (await anonymous.having({ baseUrl: app.baseUrl }).get(`/${reference}`)).json() as {
      paths: ShownPaths;
    };
    const sent: RequestEvent[] = [];
    const onRequest = (event: RequestEvent): unknown => sent.push(event);
    const client = createClient({ baseUrl: app.baseUrl, auth: { apiKey: app.adminKey }, onRequest });
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, operation]) =>
        (operation['x-codeSamples'] ?? []).map(({ source }) => ({ path, method, source })),
      ),
    );
    expect(operations.length).toBeGreaterThan(35);
    for (const { path, method, source } of operations) {
      sent.length = 0;
      const [, call = ''] = /^console\.log\(await ([^]*)\);$/m.exec(source) ?? [];
      // Most ids are none of this service: only what is sent counts.
      await (runInNewContext(call, { client }) as Promise<unknown>).catch(() => undefined);
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      expect([path, sent[0]?.method, pattern.test(new URL(sent[0]?.url ?? '').pathname)]).toEqual([
        path,
        method.toUpperCase(),
        true,
      ]);
    }
  });
});
