import { runInNewContext } from 'node:vm';

import { createClient, type RequestEvent } from '@items/client';
import { startApp, type RunningApp } from '@items/testing';
import type { Page, Response } from 'playwright-core';

import { describeInBrowser, openBrowser, takePicture, type OpenBrowser } from '../harness/chromium.js';
import { anonymous } from '../harness/clients.js';
import { databaseUnderTest } from '../harness/service.js';

/** Maximum CPU time of the page's process, without its start. ADR 76 */
const MAX_LOAD_CPU_SECONDS = 2;

/** Optional headers, which the page must not fill in. */
const OPTIONAL_HEADER = /^(api-version|idempotency-key|if-|x-request-id)/;
const TRIALS_TIMEOUT_MS = 300_000;

interface ShownOperation {
  readonly summary: string;
  readonly tags: readonly [string, ...string[]];
  readonly 'x-codeSamples'?: readonly { readonly source: string }[];
}
type ShownPaths = Readonly<Record<string, Readonly<Partial<Record<string, ShownOperation>>>>>;

interface Trial {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
}

function trialOf(method: string, path: string, operation: ShownOperation | undefined): Trial | undefined {
  return operation && { method, path, summary: operation.summary, tag: operation.tags[0] };
}

/** True for requests that need no id: lists, and creations except logins. */
function isTried({ method, path, summary }: Trial): boolean {
  if (path.includes('{') || path.startsWith('/oauth')) return false;
  return method === 'GET' ? summary.startsWith('List ') : method === 'POST' && path !== '/sessions';
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
    await page.goto(`${app.baseUrl}/docs`);
    // Scalar replaces the page without scripts.
    await page.locator('.page').waitFor({ state: 'detached' });
  };
  afterEach(async () => {
    // The page complies with its content security policy, and requests only this server.
    await browser.close();
    expect([complaints, elsewhere]).toEqual([[], []]);
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
    await takePicture(page, 'docs');
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

  const shownPaths = async (): Promise<ShownPaths> => {
    const visitor = anonymous.withOptions({ baseUrl: app.baseUrl });
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
    return (await user.apiKeys.create({ name: 'docs', scopes })).key;
  };

  const itemCount = async (): Promise<number> => {
    const client = createClient({ baseUrl: app.baseUrl, auth: { apiKey: app.adminKey } });
    return (await client.items.page({ per_page: 1 })).total;
  };

  /** Opens an operation by its URL fragment, and sends it with the values that the page fills in. */
  const tryOut = async ({ method, path, tag }: Trial): Promise<Response> => {
    await page.evaluate(`location.hash = '#tag/${tag.toLowerCase().replaceAll(' ', '-')}/${method}${path}'`);
    const name = new RegExp(`Test Request.*${method.toLowerCase()} ${path}\\)`);
    await page.getByRole('button', { name }).click();
    const response = page.waitForResponse(
      (each) => new URL(each.url()).pathname === path && each.request().method() === method,
    );
    await page.getByRole('button', { name: /^Send/ }).first().click();
    const sent = await response;
    // Wait until the page shows the status: leaving earlier would cancel the request.
    const status = page.getByRole('link', { name: new RegExp(String.raw`\b${sent.statusText()}\b`) });
    await status.waitFor();
    await page.keyboard.press('Escape');
    await status.waitFor({ state: 'detached' });
    return sent;
  };

  it(
    'every Send of GET lists and POSTs is 2xx, with no optional parameter or header',
    async () => {
      await open(1280);
      await page
        .getByLabel('Value')
        .first()
        .fill(await keyOfAnAdmin());
      const trials = Object.entries(await shownPaths())
        .flatMap(([path, { get, post }]) => [trialOf('GET', path, get), trialOf('POST', path, post)])
        .filter((trial) => trial !== undefined)
        .filter(isTried);
      expect(trials.length).toBeGreaterThan(13);
      const before = await itemCount();
      const again = trials.filter(({ method, path }) => method === 'POST' && path === '/items');
      const tried: unknown[] = [];
      for (const trial of [...trials, ...again]) {
        const response = await tryOut(trial);
        const headers = Object.keys(response.request().headers()).filter((name) => OPTIONAL_HEADER.test(name));
        tried.push([trial.method, trial.path, new URL(response.url()).search, headers, response.ok()]);
      }
      expect(tried).toEqual([...trials, ...again].map(({ method, path }) => [method, path, '', [], true]));
      expect(await itemCount()).toBe(before + 2);
    },
    TRIALS_TIMEOUT_MS,
  );

  it('the static page stays until Scalar has painted, which opens at the operation in the address', async () => {
    browser = await openBrowser({ viewport: { width: 1280, height: 900 } });
    page = await browser.context.newPage();
    [complaints, elsewhere] = [[], []];
    let send = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => (send = resolve));
    await page.route(/\/docs\/scalar-[^/]*\.js$/, async (route) => {
      await isReleased;
      await route.continue();
    });
    await page.goto(`${app.baseUrl}/docs#tag/webhooks/POST/webhooks`);
    await page.getByRole('cell', { name: 'Create a webhook' }).waitFor();
    // Counts the frames in which neither of the two pages is visible.
    const blankFrames = page.evaluate(`new Promise((resolve) => {
      const isShown = (element) => element?.checkVisibility({ visibilityProperty: true }) === true;
      let blank = 0;
      const look = () => {
        const without = document.querySelector('.page');
        const full = [...document.querySelectorAll('h1')].some((each) => !without?.contains(each) && isShown(each));
        if (!full && !isShown(without)) blank += 1;
        if (without === null && full) resolve(blank);
        else requestAnimationFrame(look);
      };
      look();
    })`);
    send();
    expect(await blankFrames).toBe(0);
    const heading = page.getByRole('heading', { name: 'Create a webhook' });
    // The page scrolls only after it has rendered the part above the heading.
    for (let top = Infinity; top < 0 || top >= 900; top = (await heading.boundingBox())?.y ?? Infinity) {
      await page.waitForTimeout(100);
    }
  });

  it('fits a screen of 390 px, and takes at most 2 s of CPU to load', async () => {
    await open(390);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const session = await browser.context.newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.reload();
    // Scalar replaces the page without scripts.
    await page.locator('.page').waitFor({ state: 'detached' });
    const { metrics } = await session.send('Performance.getMetrics');
    const cpu = metrics.find(({ name }) => name === 'TaskDuration')?.value;
    expect(cpu).toBeGreaterThan(0.1);
    expect(cpu).toBeLessThan(MAX_LOAD_CPU_SECONDS);
  });

  it('has code for @items/client that sends the parameters of the operation', async () => {
    await open(1280);
    const paths = await shownPaths();
    const sent: RequestEvent[] = [];
    const onRequest = (event: RequestEvent): unknown => sent.push(event);
    const client = createClient({ baseUrl: app.baseUrl, auth: { apiKey: app.adminKey }, onRequest });
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, operation]) =>
        (operation?.['x-codeSamples'] ?? []).map(({ source }) => ({ path, method, source })),
      ),
    );
    expect(operations.length).toBeGreaterThan(35);
    for (const { path, method, source } of operations) {
      sent.length = 0;
      const [, call = ''] = /^console\.log\(await ([^]*)\);$/m.exec(source) ?? [];
      // Ignore errors: most ids do not exist, and only the sent request counts.
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
