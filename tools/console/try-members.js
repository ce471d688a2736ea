import assert from 'node:assert/strict';
import { assertAccessible, hears, openWindow, signIn } from './page-under-test.js';

/** @typedef {import('./try-lists.js').Served} Served */
/** @typedef {import('playwright-core').Page} Page */

/** Members: created, edited, compared with the change of another window, deleted. */
export async function tryMembers(/** @type {Served} */ site) {
  const { page, complaints, close } = await openWindow(site);
  await signIn(page, site, 'the-admin');
  await creates(page, site);
  await asksBeforeLeaving(page);
  await mergesConflicts(page, site);
  await ordersAndShips(page, site);
  await deletes(page, site);
  assert.deepEqual(complaints, []);
  await close();
}

async function creates(/** @type {Page} */ page, /** @type {Served} */ site) {
  await page.getByRole('button', { name: 'New item' }).click();
  const name = page.getByLabel('name');
  await name.waitFor();
  assert.equal(await page.evaluate('document.activeElement.name'), 'name', 'the first field has the focus');
  await page.getByLabel('price').fill('much');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('[name=name][aria-invalid=true]').waitFor();
  const described = await page.locator('[name=price]').getAttribute('aria-describedby');
  const error = await page.locator(`#${described?.split(' ').at(-1) ?? ''}`).innerText();
  assert.equal(error, '"price" must be a number.');
  await assertAccessible(page, site, 'new');
  await name.fill('<img src=x onerror=alert(1)>');
  await page.getByLabel('price').fill('12,50');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: '<img src=x onerror=alert(1)>' }).waitFor();
  await page.getByText('$12.50').waitFor();
  assert.equal(await page.locator('img').count(), 0);
  await page.getByRole('complementary', { name: 'Changes' }).getByText('You created').waitFor();
  await assertAccessible(page, site, 'member');
}

async function asksBeforeLeaving(/** @type {Page} */ page) {
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('color').fill('green');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  const url = page.url();
  const waysOut = [
    () => page.getByRole('link', { name: 'Users', exact: true }).click(),
    () => page.goBack().catch(() => undefined),
    async () => {
      await page.goBack().catch(() => undefined);
      await question.waitFor();
      await page.goBack().catch(() => undefined);
    },
    () => page.getByRole('button', { name: 'Cancel' }).click(),
  ];
  for (const leave of waysOut) {
    await leave();
    await question.getByRole('button', { name: 'Stay' }).click();
    assert.equal(await page.getByLabel('color').inputValue(), 'green');
    assert.equal(page.url(), url);
  }
  await page.getByRole('button', { name: 'Save' }).click();
  await hears(page, 'is saved.');
  await page.getByText('green').first().waitFor();
}

/** Another window saves first. Fields that one side changed merge, the user chooses the rest. */
async function mergesConflicts(/** @type {Page} */ page, /** @type {Served} */ site) {
  const { admin } = site;
  const [item] = (await admin.items.page({ sort: 'name', name_prefix: 'Mug 010', limit: 1 })).items;
  const id = item?.id ?? '';
  await page.goto(`${site.baseUrl}/console/items/${id}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('price').fill('99');
  await page.getByLabel('description').fill('Mine');
  await admin.items.replace(id, { name: 'Mug 010', price: 77, color: 'theirs' });
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: /Somebody else/ });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  assert.equal(await dialog.getByRole('button', { name: 'Save' }).isDisabled(), true, 'a conflict has to be decided');
  assert.deepEqual(await dialog.getByRole('rowheader').allInnerTexts(), ['description', 'color', 'price']);
  await assertAccessible(page, site, 'conflict');
  await dialog.getByLabel('Keep mine: price').check();
  await admin.items.replace(id, { name: 'Mug 010a', price: 77, color: 'theirs' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  // The change that was merged already is not compared again.
  await dialog.getByRole('rowheader', { name: 'name' }).waitFor();
  assert.deepEqual(await dialog.getByRole('rowheader').allInnerTexts(), ['name', 'description', 'price']);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await hears(page, 'Mug 010a is saved.');
  const { price, color, description } = await admin.items.get(id);
  assert.deepEqual({ price, color, description }, { price: 99, color: 'theirs', description: 'Mine' });
}

async function ordersAndShips(/** @type {Page} */ page, /** @type {Served} */ site) {
  await page.getByRole('link', { name: 'My orders' }).first().click();
  await page.getByRole('button', { name: 'New order' }).click();
  const item = page.getByLabel('item_id');
  await item.fill('Mug 02');
  await page.locator('datalist option[value="Mug 021"]').waitFor({ state: 'attached' });
  await item.fill('Mug 021');
  await page.getByLabel('quantity').fill('0');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('[name="lines.0.quantity"][aria-invalid=true]').waitFor();
  await page.getByLabel('quantity').fill('2');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('$42.00').waitFor();
  for (const status of ['confirmed', 'shipped']) {
    await page.getByRole('button', { name: 'New transition' }).click();
    const dialog = page.getByRole('dialog', { name: 'New transition' });
    await dialog.getByLabel('to').selectOption(status);
    await assertAccessible(page, site, 'action');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.locator('dd').getByText(status, { exact: true }).waitFor();
  }
  await assertAccessible(page, site, 'order');
}

async function deletes(/** @type {Page} */ page, /** @type {Served} */ { admin, baseUrl }) {
  const [item] = (await admin.items.page({ sort: 'name', name_prefix: 'Mug 031', limit: 1 })).items;
  await page.goto(`${baseUrl}/console/items/${item?.id}`);
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Mug 031?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await hears(page, 'Mug 031 is deleted.');
  await page.waitForURL(`${baseUrl}/console/items`);
  assert.equal((await admin.items.page({ sort: 'name', name_prefix: 'Mug 031', limit: 1 })).items.length, 0);
}
