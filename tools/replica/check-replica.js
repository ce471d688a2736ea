import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@items/client';
import { freePort, startApp } from '@items/testing';
import { chromium } from 'playwright-core';
import { servePage } from './serve-page.js';
import { tryDocumentedPage } from './try-documented-page.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').BrowserContext} BrowserContext */
/** @typedef {{ context: BrowserContext, origin: string, baseUrl: string, apiKey: string, admin: import('@items/client').ItemsClient }} Place */

const ROWS = 400;
/** Longer than the 30 s of silence after which a frozen tab is replaced. */
const THAW_MS = 45_000;

/** Tests copies in IndexedDB in Chromium, with the real service at another origin. @param {string} executablePath */
export async function checkReplica(executablePath) {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const app = await startApp({ database: 'sqlite', env: { CORS_ORIGINS: origin } });
  const stopPage = await servePage(port);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] });
  const baseUrl = app.baseUrl;
  const admin = createClient({ baseUrl, auth: { apiKey: app.adminKey } });
  try {
    for (let price = 0; price < ROWS; price += 1) await admin.items.create({ name: 'Mug', price });
    const place = async () => ({ context: await browser.newContext(), origin, baseUrl, apiKey: app.adminKey, admin });
    await sharesBetweenTabs(await place());
    await replacesFrozenTab(await place());
    await noticesLostNetwork(await place());
    await goesOnWithoutQuota(await place());
    await goesOnWithoutIndexedDb(await place());
    await tryDocumentedPage(browser);
    const last = await place();
    const page = await open(last);
    assert.equal(await begin(page, last), 'following');
    await app.end('SIGKILL');
    await startsOffline(page, last);
    await forgetsAnotherUser(page, last);
  } finally {
    await browser.close();
    stopPage();
    await app.stop('SIGKILL');
  }
}

/**
 * One of two tabs follows. The other one shows its changes, and takes over when the first one closes.
 * @param {Place} place
 */
async function sharesBetweenTabs(place) {
  const pages = [await open(place), await open(place)];
  const requests = pages.map(countRequests);
  for (const page of pages) assert.equal(await begin(page, place), 'following');
  for (const page of pages) await equals(page, place);
  assert.equal(requests[1]?.(), 0, 'only one tab sends requests');
  await place.admin.items.create({ name: 'For both', price: 1 });
  for (const page of pages) await equals(page, place);
  assert.equal(requests[1]?.(), 0, 'only one tab sends requests');

  await pages[0]?.close();
  const [, heir] = /** @type {[Page, Page]} */ (pages);
  await sleep(5000);
  assert.ok((requests[1]?.() ?? 0) > 0, 'another tab takes over within 5 s');
  await place.admin.items.create({ name: 'For the heir', price: 2 });
  await equals(heir, place);
  await place.context.close();
}

/**
 * A frozen tab is replaced although it holds its lock, and is up to date again after it continues.
 * @param {Place} place
 */
async function replacesFrozenTab(place) {
  const [frozen, other] = [await open(place), await open(place)];
  await begin(frozen, place);
  await begin(other, place);
  const requests = countRequests(other);
  const session = await place.context.newCDPSession(frozen);
  // Freezes all scripts of the tab; it still holds its lock.
  await session.send('Debugger.enable');
  await session.send('Debugger.pause');
  await place.admin.items.create({ name: 'While it is frozen', price: 3 });
  await equals(other, place, THAW_MS);
  assert.ok(requests() > 0, 'the other tab follows');
  await session.send('Debugger.resume');
  await place.admin.items.create({ name: 'After the thaw', price: 4 });
  for (const page of [frozen, other]) await equals(page, place);
  await place.context.close();
}

/** A request that waits does not hide that the network is lost. @param {Place} place */
async function noticesLostNetwork(place) {
  const page = await open(place);
  await begin(page, place);
  await sleep(2000);
  for (const [isOffline, status] of /** @type {const} */ ([
    [true, 'offline'],
    [false, 'following'],
  ])) {
    await place.context.setOffline(isOffline);
    await page.waitForFunction(`bundle.replica.status === '${status}'`, undefined, {
      timeout: isOffline ? 2000 : 5000,
    });
  }
  await place.context.close();
}

/** A full storage causes a clear error, and the copy continues in memory. @param {Place} place */
async function goesOnWithoutQuota(place) {
  const page = await open(place);
  const session = await place.context.newCDPSession(page);
  await session.send('Storage.overrideQuotaForOrigin', { origin: place.origin, quotaSize: 1 });
  assert.equal(await begin(page, place), 'following');
  await place.admin.items.create({ name: 'Beyond the quota', price: 5 });
  await equals(page, place);
  assert.match(await errorsOf(page), /cannot be stored and goes on in memory.*Quota/);
  assert.equal(await page.evaluate('bundle.replica.status'), 'following');
  await place.context.close();
}

/** Disabled IndexedDB causes a clear error, and the copy continues in memory. @param {Place} place */
async function goesOnWithoutIndexedDb(place) {
  const page = await place.context.newPage();
  await page.addInitScript(`Object.defineProperty(globalThis, 'indexedDB', {
    get() { throw new DOMException('IndexedDB is switched off', 'SecurityError'); } })`);
  await page.goto(place.origin);
  assert.equal(await begin(page, place), 'following');
  await equals(page, place);
  assert.match(await errorsOf(page), /cannot be stored and goes on in memory.*switched off/);
  await place.context.close();
}

/** After a reload without the service, the copy still exists. @param {Page} page @param {Place} place */
async function startsOffline(page, place) {
  const before = await page.evaluate('bundle.rows()');
  await page.reload();
  assert.equal(await begin(page, place), 'offline');
  assert.equal(await page.evaluate('bundle.rows()'), before);
}

/** Another user sees no rows of the first user. @param {Page} page @param {Place} place */
async function forgetsAnotherUser(page, place) {
  await page.reload();
  // This call rejects when the browser closes, because there is no service to load from.
  begin(page, place, 'b').catch(() => undefined);
  await sleep(1000);
  assert.equal(await page.evaluate('bundle.replica.size'), 0);
  const stored = await page.evaluate(`new Promise((resolve) => {
    const request = indexedDB.open('items-replica:items');
    request.onsuccess = () => {
      const count = request.result.transaction('rows').objectStore('rows').count();
      count.onsuccess = () => resolve(count.result);
    };
  })`);
  assert.equal(stored, 0, 'rows of another user are deleted');
}

async function open(/** @type {Place} */ { context, origin }) {
  const page = await context.newPage();
  await page.goto(origin);
  return page;
}

/** @param {Page} page @param {Place} parts @returns {Promise<string>} the status after the start, or the error. */
async function begin(page, { baseUrl, apiKey }, owner = 'a') {
  const options = { baseUrl, apiKey, owner };
  return page.evaluate((given) => Reflect.get(globalThis, 'bundle').begin(given), options);
}

/** @param {Page} page @returns a function that counts the requests of a page to the service since the call. */
function countRequests(page) {
  let count = 0;
  page.on('request', (request) => void (count += /\/(items|events)\b/.test(request.url()) ? 1 : 0));
  return () => count;
}

async function errorsOf(/** @type {Page} */ page) {
  return String(await page.evaluate('bundle.errors.join("\\n")'));
}

/** Waits until the rows of a page equal those of a walk. @param {Page} page @param {Place} parts */
async function equals(page, { admin }, limitMs = 10_000) {
  const rows = [];
  for await (const item of admin.items.walk({ limit: 100 })) rows.push(item);
  const expected = JSON.stringify(rows);
  const deadline = Date.now() + limitMs;
  while ((await page.evaluate('bundle.rows()')) !== expected) {
    assert.ok(Date.now() < deadline, `the copy differs from a walk after ${limitMs} ms`);
    await sleep(100);
  }
}
