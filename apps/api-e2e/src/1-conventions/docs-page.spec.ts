import { runInNewContext } from 'node:vm';

import { createClient, type RequestEvent } from '@items/client';
import { startApp, type RunningApp } from '@items/testing';
import type { Page, Response } from 'playwright-core';

import { describeInBrowser, openBrowser, type OpenBrowser } from '../harness/chromium.js';
import { anonymous } from '../harness/clients.js';
import { databaseUnderTest } from '../harness/service.js';

/** Of the page's own process; its start without any page is not counted. ADR 78 */
const MAX_LOAD_CPU_SECONDS = 2;

/** Folder for the picture of `docs/images`. Without it, none is taken. */
const SCREENSHOTS = process.env['SCREENSHOTS'];

interface ShownOperation {
  readonly summary: string;
  readonly 'x-codeSamples'?: readonly { readonly source: string }[];
}
type ShownPaths = Readonly<Record<string, Readonly<Record<string, ShownOperation>>>>;

interface Trial {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

/** Lists, and creations other than those of a login, that need nothing but a key. */
function isTried(path: string, method: string, { summary }: ShownOperation): boolean {
  if (path.includes('{') || path.startsWith('/oauth')) return false;
  return method === 'get' ? summary.startsWith('List ') : method === 'post' && path !== '/sessions';
}

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
    // Scalar takes some seconds of CPU.
    page.setDefaultTimeout(90_000);
    await page.goto(`${app.baseUrl}/docs`);
    await isComplete();
  };

  /** Waits until Scalar has replaced the page without scripts. */
  const isComplete = (): Promise<void> => page.locator('.page').waitFor({ state: 'detached' });
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

  const shownPaths = async (): Promise<ShownPaths> => {
    const visitor = anonymous.having({ baseUrl: app.baseUrl });
    const [, reference = ''] = /data-reference="([^"]+)"/.exec((await visitor.get('/docs')).text) ?? [];
    return ((await visitor.get(`/${reference}`)).json() as { paths: ShownPaths }).paths;
  };

  /** A key with a user, so that `/users/me` exists. */
  const keyOfAnAdmin = async (): Promise<string> => {
    const admin = createClient({ baseUrl: app.baseUrl, auth: { apiKey: app.adminKey } });
    const login = { username: 'the-admin', password: 'correct horse battery staple' };
    await admin.users.create({ ...login, role: 'admin' });
    const user = createClient({ baseUrl: app.baseUrl, auth: login });
    const { scopes = [] } = await user.users.me();
    const key = await user.apiKeys.create({ name: 'docs', scopes });
    return key.key;
  };

  /** Opens an operation, and sends it with the values that the page offers. */
  const tryOut = async ({ method, path, summary }: Trial): Promise<Response> => {
    await search(summary);
    const name = new RegExp(`Test Request.*${method.toLowerCase()} ${path.replaceAll('.', String.raw`\.`)}\\)`);
    await page.getByRole('button', { name }).click();
    const response = page.waitForResponse(
      (each) => each.url().startsWith(app.baseUrl + path) && each.request().method() === method,
    );
    await page.getByRole('button', { name: /^Send/ }).first().click();
    const sent = await response;
    await page.keyboard.press('Escape');
    return sent;
  };

  it('has a table of contents at the side, and finds an operation by its words', async () => {
    await open(1280);
    const contents = page.getByRole('complementary');
    for (const title of ['Items', 'Orders', 'Webhooks']) {
      await contents.getByRole('link', { name: title, exact: true }).waitFor();
    }
    if (SCREENSHOTS !== undefined) await page.screenshot({ path: `${SCREENSHOTS}/docs.png` });
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

  it('sends lists and creations with its own button, and the service accepts them', async () => {
    await open(1280);
    await page
      .getByLabel('Value')
      .first()
      .fill(await keyOfAnAdmin());
    const trials = Object.entries(await shownPaths()).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([method, operation]) => isTried(path, method, operation))
        .map(([method, { summary }]): Trial => ({ method: method.toUpperCase(), path, summary })),
    );
    expect(trials.length).toBeGreaterThan(13);
    const second: Trial = { method: 'POST', path: '/items', summary: 'Create an item' };
    const tried: string[] = [];
    for (const trial of [...trials, second]) {
      const { method, path } = trial;
      const response = await tryOut(trial);
      const { pathname, search } = new URL(response.url());
      tried.push(`${method} ${pathname}${search} ${String(Math.floor(response.status() / 100))}xx`);
      const sent = Object.keys(response.request().headers()).filter((name) =>
        /^(api-version|idempotency-key|if-|x-request-id)/.test(name),
      );
      expect([path, sent]).toEqual([path, []]);
    }
    expect(tried).toEqual([...trials.map(({ method, path }) => `${method} ${path} 2xx`), 'POST /items 2xx']);
    const client = createClient({ baseUrl: app.baseUrl, auth: { apiKey: app.adminKey } });
    expect((await client.items.page({ per_page: 1 })).total).toBe(2);
  }, 400_000);

  it('shows the page without scripts until the whole one has painted, at the place of its address', async () => {
    browser = await openBrowser({ viewport: { width: 1280, height: 900 } });
    page = await browser.context.newPage();
    page.setDefaultTimeout(90_000);
    [complaints, elsewhere] = [[], []];
    let send = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => (send = resolve));
    await page.route('**/docs/scalar-*.js', async (route) => {
      await isReleased;
      await route.continue();
    });
    await page.goto(`${app.baseUrl}/docs#tag/items/POST/items`);
    await page.getByRole('cell', { name: 'Create an item' }).waitFor();
    const gaps = page.evaluate(`new Promise((resolve) => {
      let isBlank = false;
      const look = () => {
        isBlank ||= document.body.innerText.trim().length < 100;
        if (document.querySelector('.page') === null) resolve(isBlank);
        else requestAnimationFrame(look);
      };
      look();
    })`);
    send();
    expect(await gaps).toBe(false);
    const heading = page.getByRole('heading', { name: 'Create an item' });
    await heading.waitFor();
    const isInView = (): Promise<boolean> => heading.evaluate('element => element.getBoundingClientRect().top < 900');
    while (!(await isInView())) await page.waitForTimeout(100);
  });

  it('fits a screen of 390 px, and takes at most 2 s of CPU to load', async () => {
    await open(390);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const session = await browser.context.newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.reload();
    await isComplete();
    const { metrics } = await session.send('Performance.getMetrics');
    const cpu = metrics.find(({ name }) => name === 'TaskDuration')?.value;
    expect(cpu).toBeGreaterThan(0.1);
    expect(cpu).toBeLessThan(MAX_LOAD_CPU_SECONDS);
  });

  it('has code for @items/client that sends what the operation takes', async () => {
    await open(1280);
    const paths = await shownPaths();
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
