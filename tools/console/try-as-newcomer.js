import assert from 'node:assert/strict';
import { asks, hears, isAccessible, openWindow, signsIn } from './page-under-test.js';

/** @typedef {import('./page-under-test.js').Place} Place */
/** @typedef {import('playwright-core').Page} Page */

/** What somebody does who does not know the console yet: nothing is lost unasked, and everything that happens is said. */
export async function tryAsNewcomer(/** @type {Place} */ at) {
  const { page, complaints } = await openWindow(at, { timezoneId: 'Pacific/Auckland' });
  await page.clock.install();
  await page.goto(at.origin);
  await signsIn(page, at);
  assert.equal(await page.getByRole('link', { name: 'Webhooks' }).count(), 0, 'only administrators have webhooks');
  await typesUndisturbed(page);
  await keepsWhatWasTyped(page, at);
  await deletesAnItem(page, at);
  await readsMessages(page, at);
  await narrowsToADay(page);
  await copiesSecrets(page, at);
  await goesOffline(page);
  await reloadsAndGoesBack(page, at);
  await isSignedOut(page, at);
  assert.deepEqual(complaints, []);
  await page.context().close();
}

/** A phone's keyboard changes nothing of what is compared letter by letter. */
async function typesUndisturbed(/** @type {Page} */ page) {
  for (const label of ['Color', 'Begins with']) {
    const input = page.getByLabel(label);
    assert.equal(await input.getAttribute('autocapitalize'), 'none', label);
    assert.equal(await input.getAttribute('autocorrect'), 'off', label);
  }
}

async function keepsWhatWasTyped(/** @type {Page} */ page, /** @type {Place} */ at) {
  const dialog = page.getByRole('dialog', { name: 'Edit item' });
  const open = async () => {
    await page.getByRole('button', { name: 'Edit Mug 030' }).click();
    await dialog.getByLabel('Name').waitFor();
  };
  const waysOut = {
    escape: () => page.keyboard.press('Escape'),
    close: () => dialog.getByRole('button', { name: 'Close Edit item' }).click(),
    browser: () => page.evaluate('document.querySelector("dialog").close()'),
    back: async () => void (await page.goBack()),
  };
  for (const [name, leave] of Object.entries(waysOut)) {
    await open();
    assert.equal(await asks(page, false, leave), undefined, `${name}: nothing was typed`);
    await dialog.waitFor({ state: 'detached' });
    await open();
    await dialog.getByLabel('Color').fill('green');
    for (const time of ['first', 'second']) {
      assert.match((await asks(page, false, leave)) ?? '', /without saving/, `${name}, for the ${time} time`);
      assert.equal(await dialog.getByLabel('Color').inputValue(), 'green');
      assert.equal(await dialog.evaluate('document.querySelector("dialog").open'), true);
    }
    assert.equal(await asks(page, false, () => reload(page)), '', 'the browser asks in its own words');
    assert.equal(await dialog.getByLabel('Color').inputValue(), 'green', 'a reload asks');
    await asks(page, true, leave);
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Edit Mug 030' }).and(page.locator(':focus')).waitFor();
    assert.equal(page.url().startsWith(at.origin), true);
  }
}

/** Begun in the page: the browser may ask, and stay. */
async function reload(/** @type {Page} */ page) {
  const asked = page.waitForEvent('dialog');
  await page.evaluate('setTimeout(() => location.reload())');
  await asked;
}

async function deletesAnItem(/** @type {Page} */ page, /** @type {Place} */ at) {
  await page.getByRole('button', { name: 'Edit Mug 031' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit item' });
  const remove = dialog.getByRole('button', { name: 'Delete' });
  assert.equal(await asks(page, false, () => remove.click()), 'Delete Mug 031?');
  assert.equal((await at.admin.items.page({ sort: 'name', name_prefix: 'Mug 031', limit: 1 })).items.length, 1);
  await asks(page, true, () => remove.click());
  await hears(page, 'The item is deleted.');
}

async function readsMessages(/** @type {Page} */ page, /** @type {Place} */ at) {
  const said = page.getByRole('status').filter({ hasText: 'You have ordered one Mug 030.' });
  const order = page.getByRole('button', { name: 'Order one Mug 030' });
  for (const time of ['first', 'second']) {
    await Promise.all([page.waitForResponse(isOrder), order.click()]);
    await said.waitFor();
    await page.clock.fastForward(9_000);
    assert.equal(await said.count(), 1, `shown after 9 s, for the ${time} time`);
  }
  await page.clock.fastForward(2_000);
  await said.waitFor({ state: 'detached' });

  const [item] = (await at.admin.items.page({ sort: 'name', name_prefix: 'Mug 032', limit: 1 })).items;
  await at.admin.items.delete(item?.id ?? '');
  await page.getByRole('button', { name: 'Order one Mug 032' }).click();
  const error = page.locator('.said').getByRole('alert');
  await error.filter({ hasText: 'Mug 032 cannot be ordered' }).waitFor();
  await isAccessible(page, at, 'message');
  await page.clock.fastForward(60_000);
  await page.getByRole('link', { name: 'Orders' }).click();
  await page.getByRole('heading', { name: 'Orders' }).waitFor();
  assert.notEqual(await error.innerText(), '', 'an error stays');
  await page.getByRole('button', { name: 'Dismiss the message' }).click();
  assert.equal(await error.innerText(), '');
  await page.getByRole('link', { name: 'Items' }).click();
}

/** @param {import('playwright-core').Response} response */
const isOrder = (response) => response.request().method() === 'POST' && response.url().endsWith('/orders');

/** A day is the user's, as the times are that are shown. */
async function narrowsToADay(/** @type {Page} */ page) {
  await page.getByLabel('Sort').selectOption('-created_at');
  const rows = page.getByRole('region', { name: 'Items' }).getByRole('listitem');
  await rows.first().waitFor();
  const isOfDay = (/** @type {import('playwright-core').Request} */ request) => {
    const query = new URL(request.url()).searchParams;
    return (
      query.get('created_at_min') === '2026-06-30T12:00:00.000Z' &&
      query.get('created_at_max') === '2026-07-01T11:59:59.999Z'
    );
  };
  const request = page.waitForRequest(isOfDay);
  for (const label of ['From', 'To']) await page.getByLabel(label, { exact: true }).fill('2026-07-01');
  await request;
  await page.getByText('0 in all').waitFor();
  await page.getByLabel('Sort').selectOption('name');
}

async function copiesSecrets(/** @type {Page} */ page, /** @type {Place} */ at) {
  const dialog = page.getByRole('dialog', { name: 'The secret' });
  const makesAKey = async (/** @type {string} */ name) => {
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.getByLabel('Scopes').fill('items:read');
    await page.getByRole('button', { name: 'Create key' }).click();
    await dialog.waitFor();
  };
  const escape = () => page.keyboard.press('Escape');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: at.origin });
  await page.getByRole('link', { name: 'API keys' }).click();
  await makesAKey('copied');
  const secret = await dialog.locator('code').innerText();
  for (const leave of [escape, escape, () => page.goBack()]) {
    assert.match((await asks(page, false, leave)) ?? '', /without copying the secret/);
    assert.equal(await dialog.locator('code').innerText(), secret);
  }
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await hears(page, 'Copied.');
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), secret);
  assert.equal(await asks(page, false, escape), undefined);
  await dialog.waitFor({ state: 'detached' });
  assert.equal(
    await page.getByRole('textbox', { name: 'Name' }).inputValue(),
    '',
    'a second key needs a name of its own',
  );

  // As in a page that came without TLS.
  await page.evaluate('delete Navigator.prototype.clipboard');
  await makesAKey('selected');
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await hears(page, 'The secret is selected');
  await isAccessible(page, at, 'selected-secret');
  assert.equal(await page.evaluate('getSelection().toString()'), await dialog.locator('code').innerText());
  assert.match((await asks(page, false, escape)) ?? '', /without copying the secret/);
  await page.keyboard.press('Control+C');
  await hears(page, 'Copied.');
  assert.equal(await asks(page, false, escape), undefined);
  await dialog.waitFor({ state: 'detached' });
}

/** What fails says so, and is not done later behind one's back. */
async function goesOffline(/** @type {Page} */ page) {
  await page.context().setOffline(true);
  await hears(page, 'You are offline. Lists');
  await page.getByRole('textbox', { name: 'Name' }).fill('offline');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page
    .getByRole('form', { name: 'New key' })
    .getByRole('alert')
    .filter({ hasText: 'The service did not answer.' })
    .waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'offline');
  await page.context().setOffline(false);
  await page.getByText('You are offline.').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Items' }).click();
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Edit Mug 033' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit item' });
  await dialog.getByText('You are offline.').waitFor();
  await page.context().setOffline(false);
  await dialog.getByLabel('Name').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'New secret for copied' }).waitFor();
  assert.equal(await page.getByText('offline', { exact: true }).count(), 0);
}

async function reloadsAndGoesBack(/** @type {Page} */ page, /** @type {Place} */ at) {
  const views = { items: 'Items', orders: 'Orders', keys: 'API keys' };
  for (const [path, title] of Object.entries(views)) {
    await page.goto(`${at.origin}/#${path}`);
    await page.reload();
    await page.getByRole('heading', { name: title }).waitFor();
    await page.getByRole('region', { name: title }).getByRole('listitem').first().waitFor();
  }
  for (const title of ['Orders', 'Items']) {
    await page.goBack();
    await page.getByRole('heading', { name: title }).waitFor();
  }
}

/** After the end of access, the next view says so, with a way to sign in. */
async function isSignedOut(/** @type {Page} */ page, /** @type {Place} */ at) {
  const { users } = await at.admin.users.page({ sort: 'username', username_prefix: at.username, limit: 1 });
  await at.admin.users.delete(users[0]?.id ?? '');
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('alert').filter({ hasText: 'Your login has ended.' }).waitFor();
  await page.getByRole('link', { name: 'Sign in again' }).waitFor();
}
