import assert from 'node:assert/strict';
import { join } from 'node:path';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{ url: string, service: string, adminKey: string, username: string, password: string }} Place */

/** Folder for screenshots. Without it, none are taken. */
const SCREENSHOTS = process.env.SCREENSHOTS;

/**
 * Uses examples/web like a person.
 * @param {Page} page
 * @param {Place} at
 */
export async function tryPage(page, at) {
  /** @type {string[]} */
  const sent = [];
  page.on('request', (request) => void sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
  page.setDefaultTimeout(20_000);
  await page.setViewportSize({ width: 1100, height: 800 });
  await page.goto(at.url);
  await shoot(page, 'sign-in');
  await signsIn(page, at);
  await refusesAsTheService(page, at, sent);
  await creates(page, sent);
  await listsEachOnce(page, at, sent);
}

/** @param {Page} page @param {Place} at */
async function signsIn(page, at) {
  await page.getByLabel('Username').fill(at.username);
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').filter({ hasText: /wrong/ }).waitFor();
  await page.getByLabel('Password').fill(at.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('#items li').first().waitFor();
}

/**
 * An invalid form sends nothing, and shows the same message per field as the service.
 * @param {Page} page
 * @param {Place} at
 * @param {readonly string[]} sent
 */
async function refusesAsTheService(page, at, sent) {
  const answer = await fetch(`${at.service}/items`, {
    method: 'POST',
    headers: { 'x-api-key': at.adminKey, 'content-type': 'application/json' },
    body: JSON.stringify({ name: ' ', price: 1.005 }),
  });
  const { details } = /** @type {{ details: { message: string }[] }} */ (await answer.json());
  const sentences = details.map(({ message }) => message);
  assert.equal(sentences.length, 2);
  await page.locator('#item-form').getByLabel('Name').fill(' ');
  await page.locator('#item-form').getByLabel('Price').fill('1.005');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.locator('#item-form .error').nth(1).waitFor();
  assert.deepEqual(await page.locator('#item-form .error').allInnerTexts(), sentences);
  assert.equal(await page.locator('#item-form').getByLabel('Name').getAttribute('aria-invalid'), 'true');
  assert.equal(await page.evaluate('document.activeElement.id'), 'name');
  assert.equal(posts(sent), 0, 'the form sends nothing that the service would refuse');
  await shoot(page, 'refused');
}

/** @param {Page} page @param {readonly string[]} sent */
async function creates(page, sent) {
  await page.locator('#item-form').getByLabel('Name').fill('Tall mug');
  await page.locator('#item-form').getByLabel('Color').fill('teal');
  await page.locator('#item-form').getByLabel('Price').fill('12.50');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('status').filter({ hasText: '“Tall mug” has been created.' }).waitFor();
  assert.equal(posts(sent), 1);
  assert.equal(await page.locator('#item-form .error').count(), 0);
  assert.match(await page.locator('#items li').first().innerText(), /^Tall mug\s*teal\s+12\.50$/);
}

/**
 * Scrolling loads page after page, until each item of the service appears once.
 * @param {Page} page
 * @param {Place} at
 * @param {readonly string[]} sent
 */
async function listsEachOnce(page, at, sent) {
  const answer = await fetch(`${at.service}/items?per_page=1`, { headers: { 'x-api-key': at.adminKey } });
  const { total } = /** @type {{ total: number }} */ (await answer.json());
  const rows = page.locator('#items li');
  const before = sent.length;
  assert.ok((await rows.count()) < total, 'the whole list is there before anybody has scrolled');
  await shoot(page, 'list');
  for (let scrolls = 0; scrolls < 50 && !(await page.getByText('That is all.').isVisible()); scrolls += 1) {
    const count = await rows.count();
    await rows.last().scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 2000);
    const grown = `document.querySelectorAll('#items li').length > ${count} || !document.getElementById('end').hidden`;
    await page.waitForFunction(grown);
  }
  const ids = await rows.evaluateAll((all) => all.map(({ id }) => id));
  assert.equal(new Set(ids).size, ids.length, 'a row is there twice');
  assert.equal(ids.length, total);
  assert.ok(sent.slice(before).includes('GET /items'));
  await shoot(page, 'end');
}

function posts(/** @type {readonly string[]} */ sent) {
  return sent.filter((line) => line === 'POST /items').length;
}

/** @param {Page} page @param {string} name */
async function shoot(page, name) {
  if (SCREENSHOTS !== undefined) await page.screenshot({ path: join(SCREENSHOTS, `web-${name}.png`) });
}
