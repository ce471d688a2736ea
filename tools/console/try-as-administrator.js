import assert from 'node:assert/strict';
import { hears, isAccessible, openWindow, signsIn } from './page-under-test.js';

/** @typedef {import('./page-under-test.js').Place} Place */
/** @typedef {import('playwright-core').Page} Page */

/** What only administrators see: everybody's orders, webhooks, and who changed what. */
export async function tryAsAdministrator(/** @type {Place} */ at) {
  const { page, complaints } = await openWindow(at);
  await page.goto(at.origin);
  await signsIn(page, at);
  await ships(page, at);
  await makesAWebhook(page, at);
  await page.getByRole('link', { name: 'Changes' }).click();
  await page.getByText('item.created').first().waitFor();
  await isAccessible(page, at, 'changes');
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
}
