import assert from 'node:assert/strict';
import { assertAccessible, openWindow, signIn } from './page-under-test.js';

/** @typedef {import('./try-lists.js').Served} Served */

/** Tests a phone (cards and a menu, no wider than 390 px, large buttons), and the use of only the keyboard. */
export async function tryPhone(/** @type {Served} */ site) {
  const { page, complaints, close } = await openWindow(site, { viewport: { width: 390, height: 800 } });
  await signIn(page, site, 'the-member');
  await page.getByText('in all').waitFor();
  await assertAccessible(page, site, 'list');
  const card = page.locator('tbody tr').first();
  assert.equal(await card.locator('td:visible').count(), 3, 'a card shows the name and two more');
  const menu = page.getByRole('button', { name: 'Menu' });
  await menu.click();
  await assertAccessible(page, site, 'menu');
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  assert.equal(await menu.getAttribute('aria-expanded'), 'false');
  await page.goto(`${site.baseUrl}/console/items/new`);
  await page.getByLabel('name').waitFor();
  await assertAccessible(page, site, 'new');
  await page.goto(`${site.baseUrl}/console/users/me`);
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  await assertAccessible(page, site, 'account');
  const small = await page.evaluate(`[...document.querySelectorAll('button, .button')].flatMap((button) => {
    const { width, height } = button.getBoundingClientRect();
    return width > 0 && Math.min(width, height) < 43.9 ? [button.outerHTML] : [];
  })`);
  assert.deepEqual(small, []);
  await usesTheKeyboard(page, site);
  assert.deepEqual(complaints, []);
  await close();
}

async function usesTheKeyboard(/** @type {import('playwright-core').Page} */ page, /** @type {Served} */ { baseUrl }) {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${baseUrl}/console/items?sort=name`);
  await page.getByText('Mug 000').first().waitFor();
  await page.locator('body').press('Tab');
  for (let steps = 0; !(await page.evaluate(`document.activeElement.textContent === 'Mug 001'`)); steps += 1) {
    assert.ok(steps < 80, 'the second row is reached by Tab');
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Mug 001' }).waitFor();
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'H1', 'the heading of a view has the focus');
}
