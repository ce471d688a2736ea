import assert from 'node:assert/strict';
import { asks, hears, isAccessible, openWindow, signsIn } from './page-under-test.js';

/** @typedef {import('./page-under-test.js').Place} Place */
/** @typedef {import('playwright-core').Page} Page */

/** What only administrators see: everybody's orders, webhooks, and who changed what. */
export async function tryAsAdministrator(/** @type {Place} */ at) {
  const { page, complaints } = await openWindow(at);
  await page.goto(at.origin);
  await signsIn(page, at);
  await ships(page, at);
  await makesAWebhook(page, at);
  await seesChanges(page, at);
  assert.deepEqual(complaints, []);
  await page.context().close();
}

async function ships(/** @type {Page} */ page, /** @type {Place} */ at) {
  const [item] = (await at.admin.items.page({ sort: 'name', limit: 1 })).items;
  const [member] = (await at.admin.users.page({ sort: 'username', username_prefix: 'the-member', limit: 1 })).users;
  const of = at.admin.orders(member?.id ?? '');
  const { id } = await of.create({ lines: [{ item_id: item?.id ?? '', quantity: 1 }] });
  await of.transition(id, 'confirmed');
  await page.getByRole('link', { name: 'Orders' }).click();
  await page.getByLabel('Everybody’s').check();
  await page.getByRole('button', { name: 'Ship' }).click();
  await hears(page, 'The order is shipped.');
}

async function makesAWebhook(/** @type {Page} */ page, /** @type {Place} */ at) {
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByLabel('URL').fill('ftp://receiver.example');
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.locator('[name=url][aria-invalid=true]').waitFor();
  await page.getByLabel('URL').fill('https://example.com/hook');
  await page.getByRole('button', { name: 'Create webhook' }).click();
  const dialog = page.getByRole('dialog', { name: 'The secret' });
  assert.match(await dialog.locator('code').innerText(), /^whsec_/);
  await dialog.getByRole('button', { name: 'I have it' }).click();
  await page.getByRole('button', { name: 'Deliveries to https://example.com/hook' }).click();
  await page.getByRole('dialog', { name: 'Deliveries to https://example.com/hook' }).getByText('in all').waitFor();
  await isAccessible(page, at, 'deliveries');
  await page.keyboard.press('Escape');
  const remove = page.getByRole('button', { name: 'Delete https://example.com/hook' });
  assert.match((await asks(page, true, () => remove.click())) ?? '', /^Delete the webhook/);
  await hears(page, 'The webhook is deleted');
}

/** What was changed, by its name, from which value to which, and by whom. */
async function seesChanges(/** @type {Page} */ page, /** @type {Place} */ at) {
  const [item] = (await at.admin.items.page({ sort: 'name', name_prefix: 'Mug 020', limit: 1 })).items;
  await at.admin.items.replace(item?.id ?? '', { name: 'Mug 020', price: 21.5 });
  await page.getByRole('link', { name: 'Changes' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'item updated' }).first();
  await row.getByText('price: 20 → 21.5').waitFor();
  const text = await row.innerText();
  assert.match(text, /^item updated Mug 020/);
  assert.match(text, /by the key of the environment/);
  const shipped = await page.getByRole('listitem').filter({ hasText: 'order shipped' }).first().innerText();
  assert.match(shipped, /^order shipped 1 × Mine\nstatus: confirmed → shipped\n.*by you$/);
  await page.getByRole('listitem').filter({ hasText: 'by the-member' }).first().waitFor();
  await isAccessible(page, at, 'changes');
  await row.getByRole('button', { name: 'Open' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit item' });
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Mug 020');
  await page.goBack();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Changes' }).waitFor();
}
