import { setTimeout as sleep } from 'node:timers/promises';

import type { Item } from '@items/dtos/contract';
import { freePort, HttpClient, type RunningApp, startApp } from '@items/testing';
import type { Page } from 'playwright-core';

import { describeInBrowser, type OpenBrowser, openBrowser } from '../harness/chromium.js';
import { createItem, createMany } from '../harness/items.js';
import { cursorPageOf } from '../harness/reading.js';
import { eventually } from '../harness/receiver.js';
import { databaseUnderTest } from '../harness/service.js';
import { pagesOf } from '../harness/walk.js';
import { bundleForBrowser, serveFiles } from './serve-page.js';

const ROWS = 400;
/** Longer than the 30 s of silence after which a frozen tab is replaced. */
const THAW_MS = 45_000;

/** Script of the page: starts a replica in IndexedDB and returns its rows. */
const SCRIPT = `
  import { createClient } from '@items/client';
  import { createReplica } from '@items/client/replica';
  import { indexedDbStore } from '@items/client/replica/indexed-db';
  const bundle = globalThis.bundle = {
    errors: [],
    begin({ baseUrl, apiKey, owner }) {
      const client = createClient({ baseUrl, auth: { apiKey } });
      const onError = (error) => bundle.errors.push(String(error));
      bundle.replica = createReplica({ source: client.items, store: indexedDbStore('items', { owner }), onError });
      return bundle.replica.start().then(() => bundle.replica.status, String);
    },
    rows: () => JSON.stringify(bundle.replica.all()),
  };
`;
const STORED_ROWS = `new Promise((resolve) => {
  const request = indexedDB.open('items-replica:items');
  request.onsuccess = () => {
    const count = request.result.transaction('rows').objectStore('rows').count();
    count.onsuccess = () => resolve(count.result);
  };
})`;
const WITHOUT_INDEXED_DB = `Object.defineProperty(globalThis, 'indexedDB', {
  get() { throw new DOMException('IndexedDB is switched off', 'SecurityError'); } })`;

describeInBrowser('A replica in IndexedDB, whose service has another origin', () => {
  let origin: string;
  let stopPage: () => void;
  let app: RunningApp;
  let admin: HttpClient;
  let browser: OpenBrowser;

  beforeAll(async () => {
    const port = await freePort();
    origin = `http://localhost:${port}`;
    stopPage = await serveFiles(port, {
      '/': '<!doctype html><script type="module" src="/page.js"></script>',
      '/page.js': await bundleForBrowser(SCRIPT),
    });
    await startService();
  });
  afterAll(async () => {
    await app.stop('SIGKILL');
    stopPage();
  });
  beforeEach(async () => {
    browser = await openBrowser();
  });
  afterEach(() => browser.close());

  async function startService(): Promise<void> {
    app = await startApp({ database: databaseUnderTest(), env: { CORS_ORIGINS: origin } });
    admin = new HttpClient({ baseUrl: app.baseUrl }).withHeaders(['X-API-Key', app.adminKey]);
    await createMany(ROWS, 'red', admin);
  }

  async function open(): Promise<Page> {
    const page = await browser.context.newPage();
    await page.goto(origin);
    return page;
  }

  /** Returns the status after the start, or the error. */
  function begin(page: Page, owner = 'a'): Promise<unknown> {
    const options = { baseUrl: app.baseUrl, apiKey: app.adminKey, owner };
    return page.evaluate(`bundle.begin(${JSON.stringify(options)})`);
  }

  async function openFollowing(): Promise<Page> {
    const page = await open();
    expect(await begin(page)).toBe('following');
    return page;
  }

  async function walk(): Promise<Item[]> {
    const pages = await pagesOf(async (query) => cursorPageOf(await admin.get(`/items?${query}`)), 'limit=100');
    return pages.flatMap(({ items }) => items);
  }

  /** Waits until the rows of a page equal those of a walk. */
  async function expectCurrent(page: Page, withinMs = 10_000): Promise<void> {
    const expected = JSON.stringify(await walk());
    await eventually(async () => ((await page.evaluate('bundle.rows()')) === expected ? true : undefined), withinMs);
  }

  it('is kept up to date by one of two tabs', async () => {
    const pages = [await open(), await open()];
    const counts = pages.map(countRequests);
    for (const page of pages) expect(await begin(page)).toBe('following');
    for (const page of pages) await expectCurrent(page);
    await createItem({ name: 'For both' }, admin);
    for (const page of pages) await expectCurrent(page);
    expect(counts[0]!()).toBeGreaterThan(0);
    expect(counts[1]!()).toBe(0);
  });

  it('is kept up to date by another tab within 5 s after the first one is closed', async () => {
    const first = await openFollowing();
    const heir = await openFollowing();
    const requests = countRequests(heir);
    await first.close();
    await sleep(5000);
    expect(requests()).toBeGreaterThan(0);
    await createItem({ name: 'For the heir' }, admin);
    await expectCurrent(heir);
  });

  it('is kept up to date by another tab while the first one is frozen', async () => {
    const frozen = await openFollowing();
    const other = await openFollowing();
    const requests = countRequests(other);
    const session = await browser.context.newCDPSession(frozen);
    // Freezes all scripts of the tab; it still holds its lock.
    await session.send('Debugger.enable');
    await session.send('Debugger.pause');
    await createItem({ name: 'While it is frozen' }, admin);
    await expectCurrent(other, THAW_MS);
    expect(requests()).toBeGreaterThan(0);
    await session.send('Debugger.resume');
    await createItem({ name: 'After the thaw' }, admin);
    for (const page of [frozen, other]) await expectCurrent(page);
  });

  it('notices the loss and the return of the network while a request waits', async () => {
    const page = await openFollowing();
    await sleep(2000);
    await browser.context.setOffline(true);
    await page.waitForFunction(`bundle.replica.status === 'offline'`, undefined, { timeout: 2000 });
    await browser.context.setOffline(false);
    await page.waitForFunction(`bundle.replica.status === 'following'`, undefined, { timeout: 5000 });
  });

  it('continues in memory, with an error, if the storage is full', async () => {
    const page = await open();
    const session = await browser.context.newCDPSession(page);
    await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
    expect(await begin(page)).toBe('following');
    await createItem({ name: 'Beyond the quota' }, admin);
    await expectCurrent(page);
    expect(await page.evaluate('bundle.errors.join()')).toMatch(/cannot be stored, and continues in memory.*Quota/);
    expect(await page.evaluate('bundle.replica.status')).toBe('following');
  });

  it('continues in memory, with an error, if IndexedDB is disabled', async () => {
    const page = await browser.context.newPage();
    await page.addInitScript(WITHOUT_INDEXED_DB);
    await page.goto(origin);
    expect(await begin(page)).toBe('following');
    await expectCurrent(page);
    expect(await page.evaluate('bundle.errors.join()')).toMatch(
      /cannot be stored, and continues in memory.*switched off/,
    );
  });

  describe('after the service has ended', () => {
    let page: Page;

    beforeEach(async () => {
      await app.stop('SIGKILL');
      await startService();
      page = await openFollowing();
      await app.end('SIGKILL');
    });

    it('has all its rows after a reload', async () => {
      const before = await page.evaluate('bundle.rows()');
      await page.reload();
      expect(await begin(page)).toBe('offline');
      expect(await page.evaluate('bundle.rows()')).toBe(before);
    });

    it('shows no rows to another user, and deletes them', async () => {
      await page.reload();
      // This call waits for the stopped service, and rejects when the browser closes.
      begin(page, 'b').catch(() => undefined);
      await sleep(1000);
      expect(await page.evaluate('bundle.replica.size')).toBe(0);
      expect(await page.evaluate(STORED_ROWS)).toBe(0);
    });
  });
});

/** Counts the requests of a page to the service from now on. */
function countRequests(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (/\/(items|events)\b/.test(request.url())) count += 1;
  });
  return () => count;
}
