import assert from 'node:assert/strict';
import { hears, openWindow, PASSWORD, PLAIN_HOST, signIn } from './page-under-test.js';
import { startSecondApp } from './second-app.js';

/** @typedef {import('./try-lists.js').Served} Served */
/** @typedef {import('playwright-core').Page} Page */

/** The console offers no action that the service would refuse, and shows a fault as a sentence. */
export async function tryAccess(/** @type {Served} */ site) {
  const { page, complaints, close } = await openWindow(site);
  await signIn(page, site, 'the-viewer');
  await page.getByText('in all').waitFor();
  const entries = await page.getByRole('navigation', { name: 'Collections' }).getByRole('link').allInnerTexts();
  assert.deepEqual(entries, ['Items', 'My orders', 'Sessions', 'Events']);
  assert.equal(await page.getByRole('button', { name: 'New item' }).count(), 0);
  await page.locator('tbody').getByRole('link').first().click();
  await page.getByText('created_at').waitFor();
  assert.equal(await page.getByRole('button', { name: /Edit|Delete/ }).count(), 0);
  await page.getByRole('link', { name: 'My orders' }).click();
  await page.getByText('There are no orders yet').waitFor();
  assert.equal(await page.getByText('creates the first one').count(), 0);
  await waitsForTheQuota(page);
  await goesOffline(page);
  await close();
  await endsWhileTyping(site);
  await opensAtAnotherAddress(site);
  await needsHttps(site);
  assert.deepEqual(complaints, []);
}

/** The console says when it tries again. */
async function waitsForTheQuota(/** @type {Page} */ page) {
  const body = { error: 'Too many requests.', code: 'rate_limited' };
  const refusal = { status: 429, headers: { 'retry-after': '3' }, json: body };
  await page.route('**/sessions?*', (route) => route.fulfill(refusal), { times: 1 });
  await page.getByRole('link', { name: 'Sessions' }).click();
  await hears(page, /The console tries again in \d s/);
  await page.locator('tbody tr').first().waitFor();
}

async function goesOffline(/** @type {Page} */ page) {
  await page.context().setOffline(true);
  await hears(page, 'You are offline.');
  await page.getByRole('link', { name: 'Events' }).click();
  await page.getByText(/tries again in \d+ s/).waitFor();
  await page.context().setOffline(false);
  await page.locator('tbody tr').first().waitFor();
  await page.getByText('You are offline.').waitFor({ state: 'detached' });
}

/** When a login ends, typed text is not lost, and it does not overwrite a change of others. */
async function endsWhileTyping(/** @type {Served} */ site) {
  const { admin, baseUrl } = site;
  const user = await admin.users.create({ username: 'the-typist', password: PASSWORD, role: 'admin' });
  const { page, close } = await openWindow(site);
  const name = page.getByLabel('name');
  const signInAgain = async () => {
    for (const disabled of [true, false])
      await admin.users.replace(user.id, { username: 'the-typist', role: 'admin', disabled });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').filter({ hasText: 'Your login has ended.' }).waitFor();
    const url = page.url();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Username').fill('the-typist');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL(url);
  };
  await signIn(page, site, 'the-typist', '/items/new');
  await name.fill('Typed mug');
  await signInAgain();
  assert.equal(await name.inputValue(), 'Typed mug');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Typed mug' }).waitFor();

  const id = page.url().slice(`${baseUrl}/console/items/`.length);
  await page.getByRole('button', { name: 'Edit' }).click();
  await name.fill('My mug');
  await signInAgain();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await admin.items.replace(id, { name: 'Their mug' });
  await page.reload();
  await page.getByRole('button', { name: 'Edit' }).click();
  assert.equal(await name.inputValue(), 'My mug');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog', { name: /Somebody else/ }).waitFor();
  await close();
}

async function opensAtAnotherAddress(/** @type {Served} */ site) {
  const { page, close } = await openWindow(site);
  await page.goto(`${site.baseUrl.replace('localhost', '127.0.0.1')}/console/items?sort=name`);
  const right = page.getByRole('link', { name: /^Open localhost/ });
  assert.equal(await right.getAttribute('href'), `${site.baseUrl}/console/items?sort=name`);
  await close();
}

/** A login over plain HTTP could be read by others. */
async function needsHttps(/** @type {Served} */ site) {
  const { baseUrl, stop } = await startSecondApp(PLAIN_HOST);
  const { page, close } = await openWindow(site);
  await page.goto(`${baseUrl}/console`);
  await page.getByText('The console needs HTTPS').waitFor();
  await close();
  await stop();
}
