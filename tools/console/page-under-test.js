import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';

/** @typedef {import('playwright-core').Page} Page */
/**
 * @typedef {object} Site
 * @property {import('playwright-core').Browser} browser
 * @property {string} baseUrl of the service.
 * @property {string} axe source of axe-core.
 */

export const PASSWORD = 'correct horse battery staple';
/** A host name that Chromium resolves to this machine, and that it does not trust like `localhost`. */
export const PLAIN_HOST = 'items.test';
/** Folder for screenshots. Without it, none are taken. */
const { SCREENSHOTS } = process.env;

/**
 * Opens a browser window with a new profile. Collects errors of the page and violations of its content security
 * policy.
 * @param {Site} site
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
export async function openWindow({ browser }, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  /** @type {string[]} */
  const complaints = [];
  page.on('pageerror', (error) => void complaints.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|Refused/.test(message.text())) complaints.push(message.text());
  });
  return { page, complaints, close: () => context.close() };
}

/**
 * Signs in on the login page of the service.
 * @param {Page} page @param {Site} site @param {string} username
 */
export async function signIn(page, { baseUrl }, username, path = '') {
  await page.goto(`${baseUrl}/console${path}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/**
 * Checks a view in light and dark mode: axe finds no problem, and nothing is wider than the window, also with text at 200 %.
 * @param {Page} page @param {Site} site @param {string} name of the view.
 */
export async function assertAccessible(page, { axe }, name) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(axe);
    const violations = await page.evaluate(`axe.run().then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`);
    assert.deepEqual(violations, [], `${name}, ${colorScheme}`);
    const { width = 0 } = page.viewportSize() ?? {};
    const needed = Number(await page.evaluate('document.documentElement.scrollWidth'));
    assert.ok(needed <= width, `${name} is ${needed} px wide in a window of ${width} px`);
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
    const large = Number(await page.evaluate('document.documentElement.scrollWidth'));
    await page.evaluate(`document.documentElement.style.fontSize = ''`);
    assert.ok(large <= width, `with text at 200 %, ${name} is ${large} px wide in a window of ${width} px`);
    if (SCREENSHOTS === undefined) continue;
    mkdirSync(SCREENSHOTS, { recursive: true });
    await page.screenshot({ path: `${SCREENSHOTS}/console-${name}-${width}-${colorScheme}.png` });
  }
}

/**
 * Waits for a message.
 * @param {Page} page @param {string | RegExp} text
 */
export async function hears(page, text) {
  await page.getByRole('status').filter({ hasText: text }).waitFor();
}

/**
 * Returns the texts of a column, from top to bottom.
 * @param {Page} page @param {string} name of the column.
 */
export async function column(page, name) {
  const heads = await page.getByRole('columnheader').allInnerTexts();
  const index = heads.findIndex((head) => head.trim() === name);
  assert.ok(index >= 0, `there is a column ${name} in ${heads.join(', ')}`);
  return page.locator(`tbody tr td:nth-child(${index + 1})`).allInnerTexts();
}

/**
 * Waits until an expression is true in the page. Its policy forbids Playwright's own wait, which evaluates a string.
 * @param {Page} page @param {string} expression
 */
export async function holds(page, expression) {
  for (let attempts = 0; (await page.evaluate(expression)) !== true; attempts += 1) {
    assert.ok(attempts < 300, `${expression} holds within 30 s`);
    await page.waitForTimeout(100);
  }
}

/**
 * Measures the CPU of the page.
 * @param {Page} page
 * @returns a function that returns the CPU since then, in ms.
 */
export async function cpuOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN);
  };
  const before = await read();
  return async () => (await read()) - before;
}
