import assert from 'node:assert/strict';
import { asks, hears, isAccessible, openWindow, signsIn } from './page-under-test.js';

/** @typedef {import('./page-under-test.js').Place} Place */
/** @typedef {import('playwright-core').Page} Page */

/** What a member does: signs in by the service's pages, and works with items, orders and keys. */
export async function tryAsMember(/** @type {Place} */ at) {
  const { page, complaints } = await openWindow(at);
  await begins(page, at);
  await readsAnEndlessList(page, at);
  await createsByKeyboard(page, at);
  await twoWindowsEdit(page, at);
  await orders(page, at);
  await makesAKey(page, at);
  await page.goto(`${at.origin}/#webhooks`);
  await page.getByRole('alert').filter({ hasText: 'Your login may not do this' }).waitFor();
  await signsOut(page, at);
  assert.deepEqual(complaints, []);
  await page.context().close();
}

async function begins(/** @type {Page} */ page, /** @type {Place} */ at) {
  await page.goto(`${at.origin}/?state=forged&code=x&iss=${at.baseUrl}`);
  await page.getByRole('alert').filter({ hasText: 'This login was not begun' }).waitFor();
  await isAccessible(page, at, 'sign-in');
  await signsIn(page, at);
  assert.equal(new URL(page.url()).search, '', 'the code is in no address');
  await page.reload();
  await page.getByRole('button', { name: 'Edit Mug 000' }).waitFor();
}

async function readsAnEndlessList(/** @type {Page} */ page, /** @type {Place} */ at) {
  await isAccessible(page, at, 'items');
  const rows = page.getByRole('region', { name: 'Items' }).getByRole('listitem');
  while (!(await page.getByText('120 in all').isVisible())) await page.mouse.wheel(0, 5_000);
  assert.equal(await rows.count(), 120);
  await page.getByLabel('Sort').selectOption('-price');
  await page.getByRole('spinbutton', { name: 'From' }).fill('10');
  await page.getByRole('spinbutton', { name: 'To' }).fill('14.5');
  await page.getByText('5 in all').waitFor();
  const shown = await rows.locator('strong').allInnerTexts();
  assert.deepEqual(shown, ['Mug 014', 'Mug 013', 'Mug 012', 'Mug 011', 'Mug 010']);
}

async function createsByKeyboard(/** @type {Page} */ page, /** @type {Place} */ at) {
  await page.getByRole('button', { name: 'New item' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New item' });
  await dialog.getByLabel('Name').focus();
  await page.keyboard.type(' ');
  await dialog.getByLabel('Price').focus();
  await page.keyboard.type('1.005');
  await page.keyboard.press('Enter');
  const name = dialog.locator('[name=name][aria-invalid=true]:focus');
  await name.waitFor();
  await isAccessible(page, at, 'errors');
  assert.equal(await dialog.locator('.error').count(), 2);
  await page.keyboard.type('Teapot');
  await dialog.getByLabel('Price').fill('12.25');
  await page.keyboard.press('Enter');
  await hears(page, 'Teapot is created.');
  await page.getByText('6 in all').waitFor();
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}

/** No change is lost, and none is written unseen. */
async function twoWindowsEdit(/** @type {Page} */ page, /** @type {Place} */ at) {
  const other = await page.context().newPage();
  // A window has a login of its own.
  await other.goto(at.origin);
  await other.getByRole('button', { name: 'Sign in' }).click();
  for (const each of [page, other]) await each.getByRole('button', { name: 'Edit Mug 010' }).click();
  const prices = [page, other].map((each) => each.getByRole('dialog', { name: 'Edit item' }).getByLabel('Price'));
  await prices[1]?.fill('11.5');
  await prices[0]?.fill('10.5');
  await other.getByRole('button', { name: 'Save' }).click();
  await hears(other, 'Mug 010 is saved.');
  await page.getByRole('button', { name: 'Save' }).click();
  const conflict = page.getByRole('dialog', { name: 'Someone else was faster' });
  await conflict.waitFor();
  assert.deepEqual(await conflict.getByRole('cell').allInnerTexts(), ['11.5', '10.5']);
  await isAccessible(page, at, 'conflict');
  await conflict.getByRole('button', { name: 'Take theirs' }).click();
  await conflict.waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('dialog').getByLabel('Price').inputValue(), '11.5');
  await page.getByRole('dialog').getByLabel('Color').fill('red');
  await page.getByRole('button', { name: 'Save' }).click();
  await hears(page, 'Mug 010 is saved.');

  await page.getByRole('button', { name: 'Edit Mug 011' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Mine');
  await at.admin.items.delete((await itemCalled(at, 'Mug 011'))?.id ?? '');
  await page.getByRole('button', { name: 'Save' }).click();
  await conflict.getByText('was deleted').waitFor();
  await conflict.getByRole('button', { name: 'Create it again' }).click();
  await hears(page, 'Mine is created again.');
  const saved = await itemCalled(at, 'Mug 010');
  assert.deepEqual([saved?.price, saved?.color], [11.5, 'red']);
  await other.close();

  await page.getByRole('button', { name: 'Edit Mug 013' }).click();
  await page.getByRole('dialog').getByLabel('Price').fill('13.5');
  const { id = '' } = (await itemCalled(at, 'Mug 013')) ?? {};
  await at.admin.items.replace(id, { name: 'Mug 013', price: 14, color: 'blue' });
  await page.getByRole('button', { name: 'Save' }).click();
  await conflict.getByRole('button', { name: 'Save mine' }).click();
  await hears(page, 'Mug 013 is saved.');
  const mine = await itemCalled(at, 'Mug 013');
  assert.deepEqual([mine?.price, mine?.color], [13.5, null]);
}

async function itemCalled(/** @type {Place} */ { admin }, /** @type {string} */ name) {
  const { items } = await admin.items.page({ sort: 'name', name_prefix: name, limit: 1 });
  return items[0];
}

async function orders(/** @type {Page} */ page, /** @type {Place} */ at) {
  await page.getByRole('button', { name: 'Order one Mug 012' }).click();
  await hears(page, 'You have ordered one Mug 012.');
  await page.getByRole('link', { name: 'Orders' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await hears(page, 'The order is confirmed.');
  await isAccessible(page, at, 'orders');
  assert.equal(await page.getByRole('button', { name: 'Ship' }).count(), 0, 'only staff ships');
  const cancel = page.getByRole('button', { name: 'Cancel' });
  assert.match((await asks(page, true, () => cancel.click())) ?? '', /^Cancel this order\?/);
  await hears(page, 'The order is cancelled.');
}

async function makesAKey(/** @type {Page} */ page, /** @type {Place} */ at) {
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByLabel('Name').fill('script');
  await page.getByLabel('Scopes').fill('items:everything');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.locator('[name=scopes][aria-invalid=true]').waitFor();
  await page.getByLabel('Scopes').fill('items:read');
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'The secret' });
  const secret = await dialog.locator('code').innerText();
  await isAccessible(page, at, 'secret');
  const answer = await fetch(`${at.baseUrl}/items`, { headers: { 'x-api-key': secret } });
  assert.equal(answer.status, 200);
  await dialog.getByRole('button', { name: 'I have it' }).click();
  await page.getByRole('button', { name: 'New secret for script' }).waitFor();
  assert.equal((await page.content()).includes(secret), false, 'a secret is shown once');
}

async function signsOut(/** @type {Page} */ page, /** @type {Place} */ at) {
  await page.getByRole('button', { name: /^Sign out/ }).click();
  await page.waitForURL(`${at.baseUrl}/oauth/**`);
  await page.goto(at.origin);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
}
