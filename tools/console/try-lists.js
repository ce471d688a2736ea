import assert from 'node:assert/strict';
import { assertAccessible, column, cpuOf, holds, openWindow, signIn } from './page-under-test.js';

/** CPU of the page until a view is shown, in ms. */
const MAX_VIEW_MS = 150;

/** @typedef {import('./page-under-test.js').Site & { admin: import('@items/client').ItemsClient }} Served */

/** Tests lists: sorting, filters, infinite scrolling, live updates, and their state after Back and a reload. */
export async function tryLists(/** @type {Served} */ site) {
  const { page, complaints, close } = await openWindow(site);
  /** @type {string[]} */
  const requests = [];
  page.on('request', (request) => void requests.push(request.url()));
  await signIn(page, site, 'the-admin');
  await page.getByText('120 in all').waitFor();
  assert.match(page.url(), /\/console\/items$/, 'the first collection of the service opens');

  requests.length = 0;
  const cpu = await cpuOf(page);
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByRole('link', { name: 'the-viewer' }).waitFor();
  const spent = await cpu();
  assert.ok(spent < MAX_VIEW_MS, `a view takes ${spent} ms of CPU in the page`);
  assert.ok(requests.length <= 3, `a view needs at most three requests: ${requests.join(' ')}`);
  await page.goBack();

  const price = page.getByRole('columnheader', { name: 'price' });
  await price.getByRole('button').click();
  await page.locator('th[aria-sort=ascending]').waitFor();
  assert.equal((await column(page, 'price'))[0], '$0.00');
  await price.getByRole('button').click();
  await page.locator('th[aria-sort=descending]').waitFor();
  await page.getByText('$119.00').waitFor();
  assert.equal(await page.locator('th[aria-sort]').count(), 1);

  await page.getByLabel('price from').fill('10');
  await page.getByLabel('price to').fill('12');
  await page.getByText('$12.00').waitFor();
  await page.locator('tbody tr').nth(3).waitFor({ state: 'detached' });
  assert.deepEqual(await column(page, 'price'), ['$12.00', '$11.00', '$10.00']);
  assert.equal(await page.getByText('in all').count(), 0, 'a range has no total');
  assert.match(page.url(), /sort=-price&price_min=10&price_max=12$/);
  await page.reload();
  await page.getByText('$12.00').waitFor();
  assert.equal(await page.getByLabel('price from').inputValue(), '10');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('120 in all').waitFor();
  await page.getByLabel('color', { exact: true }).fill('blue');
  await page.getByText('60 in all').waitFor();
  await page.getByLabel('color', { exact: true }).fill('nothing');
  await page.getByText('Nothing matches these filters').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('120 in all').waitFor();
  await assertAccessible(page, site, 'list');

  // Rows that arrive before the first paint must also appear.
  for (let attempt = 0; attempt < 8; attempt += 1) {
    await page.goto(`${site.baseUrl}/console/users`);
    await page.getByRole('link', { name: 'the-viewer', exact: true }).waitFor();
  }
  await page.goto(`${site.baseUrl}/console/items`);
  await isEndless(page, site);
  await isLive(page, site);
  assert.deepEqual(complaints, []);
  await close();
}

/** Shows each row once during concurrent writes. Back restores the scroll position. */
async function isEndless(/** @type {import('playwright-core').Page} */ page, /** @type {Served} */ { admin }) {
  await page.getByRole('columnheader', { name: 'name' }).getByRole('button').click();
  await page.getByText('Mug 000').waitFor();
  await admin.items.create({ name: 'Mug 000a' });
  for (let attempt = 0; attempt < 150 && (await page.locator('tbody tr').count()) < 120; attempt += 1) {
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await page.waitForTimeout(100);
  }
  const names = await column(page, 'name');
  assert.deepEqual(names, [...new Set(names)].sort());
  assert.equal(names.length, 120);

  await page.evaluate('scrollTo(0, 3000)');
  const y = Number(await page.evaluate('new Promise((resolve) => setTimeout(() => resolve(scrollY), 400))'));
  await page.locator('tbody tr').nth(75).getByRole('link').click();
  await page.getByRole('heading', { name: names[75] ?? '', exact: true }).waitFor();
  await page.goBack();
  await page.locator('tbody tr').nth(100).waitFor();
  await holds(page, `Math.abs(scrollY - ${y}) < 40`);
  await page.reload();
  await page.locator('tbody tr').nth(75).waitFor();
  await holds(page, `Math.abs(scrollY - ${y}) < 40`);
}

/** Announces new members, and shows changes and deletions by other users in place. */
async function isLive(/** @type {import('playwright-core').Page} */ page, /** @type {Served} */ { admin }) {
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await page.getByText('There are no orders yet').waitFor();
  await page.getByRole('link', { name: 'Items', exact: true }).click();
  await page.getByRole('columnheader', { name: 'price' }).waitFor();
  // The console starts to read events after the list.
  await page.waitForTimeout(1500);
  const { id } = await admin.items.create({ name: 'New mug', price: 1 });
  await page.getByRole('button', { name: '1 new' }).click();
  await page.getByRole('link', { name: 'New mug' }).waitFor();
  await admin.items.replace(id, { name: 'Newer mug', price: 2 });
  await page.getByRole('link', { name: 'Newer mug' }).click();
  await page.getByRole('heading', { name: 'Newer mug' }).waitFor();
  await admin.items.replace(id, { name: 'Newest mug', price: 2 });
  await page.getByText('Somebody has changed this member.').waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'Newest mug' }).waitFor();
  await admin.items.delete(id);
  await page.getByRole('link', { name: 'Newest mug' }).waitFor({ state: 'detached' });
}
