import assert from 'node:assert/strict';
import { assertAccessible, hears, openWindow, PASSWORD, signIn } from './page-under-test.js';

/** @typedef {import('./try-lists.js').Served} Served */
/** @typedef {import('playwright-core').Page} Page */

/** Tests keys, webhooks, the list of changes, the password, and the end of a login. */
export async function tryAccount(/** @type {Served} */ site) {
  const { page, complaints, close } = await openWindow(site);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.baseUrl });
  await signIn(page, site, 'the-admin');
  await makesAKey(page, site);
  await makesAWebhook(page, site);
  await readsChanges(page, site);
  await page.getByRole('link', { name: 'My account' }).click();
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  await assertAccessible(page, site, 'account');
  await changesThePassword(page);
  await signsOut(page, site);
  assert.deepEqual(complaints, []);
  await close();
}

/** The secret is shown once, and closing asks for confirmation. */
async function makesAKey(/** @type {Page} */ page, /** @type {Served} */ site) {
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'New API key' }).click();
  await page.getByLabel('name').fill('script');
  await page.getByLabel('items:read').check();
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Copy the secret now' });
  const secret = await dialog.locator('code').innerText();
  await assertAccessible(page, site, 'secret');
  // Each second one closes the question.
  for (let presses = 0; presses < 5; presses += 1) await page.keyboard.press('Escape', { delay: 50 });
  await page.getByRole('dialog', { name: 'Close without copying?' }).getByRole('button', { name: 'Go back' }).click();
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await dialog.getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), secret);
  const response = await fetch(`${site.baseUrl}/items`, { headers: { 'x-api-key': secret } });
  assert.equal(response.status, 200);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('heading', { name: 'script' }).waitFor();
  assert.equal((await page.content()).includes(secret), false, 'a secret is shown once');
  await page.getByRole('button', { name: 'Give an API key a new secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
  assert.notEqual(await dialog.locator('code').innerText(), secret);
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
}

async function makesAWebhook(/** @type {Page} */ page, /** @type {Served} */ site) {
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('button', { name: 'New webhook' }).click();
  await page.getByLabel('url').fill('ftp://receiver.example');
  await page.getByLabel('events').fill('item.*');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('[name=url][aria-invalid=true]').waitFor();
  await page.getByLabel('url').fill('https://receiver.example/hook');
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Copy the secret now' });
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Send a ping to a webhook' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
  await hears(page, 'Done: send a ping to a webhook.');
  await page.reload();
  await page.getByRole('link', { name: 'webhook.ping' }).click();
  await page.getByRole('button', { name: 'Send an event once more' }).waitFor();
  await assertAccessible(page, site, 'delivery');
}

async function readsChanges(/** @type {Page} */ page, /** @type {Served} */ site) {
  const [item] = (await site.admin.items.page({ sort: 'name', name_prefix: 'Mug 020', limit: 1 })).items;
  await site.admin.items.replace(item?.id ?? '', { name: 'Mug 020', price: 21.5, color: 'blue' });
  await page.getByRole('link', { name: 'Changes' }).click();
  const change = page.getByRole('listitem').filter({ hasText: 'updated item' }).first();
  await change.filter({ hasText: 'Mug 020' }).waitFor();
  await change.filter({ hasText: /price: 20 → 21\.5/ }).waitFor();
  await assertAccessible(page, site, 'changes');
}

async function changesThePassword(/** @type {Page} */ page) {
  await page.getByRole('button', { name: 'Change your own password' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change your own password' });
  await dialog.getByLabel('current_password').fill('wrong');
  await dialog.getByLabel('password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.locator('[name=current_password][aria-invalid=true]').waitFor();
  await dialog.getByLabel('current_password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await hears(page, 'Done: change your own password.');
}

/** Ends the session of this window; the page of the service ends the login of the browser. */
async function signsOut(/** @type {Page} */ page, /** @type {Served} */ { baseUrl }) {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(`${baseUrl}/oauth/logout`);
  await page.goto(`${baseUrl}/console`);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  assert.equal(await page.evaluate('sessionStorage.length'), 0);
}
