import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{ browser: import('playwright-core').Browser, origin: string, baseUrl: string, admin: import('@items/client').ItemsClient, axe: string, username: string, password: string }} Place */

/** A folder for screenshots; none are taken without it. */
const SCREENSHOTS = process.env.SCREENSHOTS;

/** A window of a browser of its own, as wide as a phone. What the page or its policy complains of fails the check. */
export async function openWindow(
  /** @type {Place} */ { browser },
  /** @type {import('playwright-core').BrowserContextOptions} */ options = {},
) {
  const context = await browser.newContext({ viewport: { width: 390, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  /** @type {string[]} */
  const complaints = [];
  page.on('pageerror', (error) => void complaints.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|React/.test(message.text())) complaints.push(message.text());
  });
  return { page, complaints };
}

/** Nothing that axe knows is wrong, in light and in dark, nothing is wider than the phone, and no button smaller than a finger. */
export async function isAccessible(/** @type {Page} */ page, /** @type {Place} */ { axe }, /** @type {string} */ name) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(axe);
    const violations = await page.evaluate(`axe.run().then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`);
    assert.deepEqual(violations, [], `${name}, ${colorScheme}`);
    const width = /** @type {number} */ (await page.evaluate('document.documentElement.scrollWidth'));
    assert.ok(width <= 390, `${name} is ${width} px wide`);
    const small = await page.evaluate(`[...document.querySelectorAll('button')].flatMap((button) => {
      const { width, height } = button.getBoundingClientRect();
      return Math.min(width, height) < 43.9 ? [button.outerHTML + ' ' + width + ' × ' + height] : [];
    })`);
    assert.deepEqual(small, [], `${name}: each button is 44 px wide and high`);
    if (SCREENSHOTS === undefined) continue;
    mkdirSync(SCREENSHOTS, { recursive: true });
    await page.screenshot({ path: `${SCREENSHOTS}/console-${name}-${colorScheme}.png` });
  }
}

/** Waits for what is said to everybody. */
export async function hears(/** @type {Page} */ page, /** @type {string | RegExp} */ text) {
  await page.getByRole('status').filter({ hasText: text }).waitFor();
}

/** Does something about which the page asks, and answers. @returns the question; undefined where there was none. */
export async function asks(
  /** @type {Page} */ page,
  /** @type {boolean} */ isAccepted,
  /** @type {() => Promise<unknown>} */ act,
) {
  /** @type {string | undefined} */
  let question;
  const answer = async (/** @type {import('playwright-core').Dialog} */ dialog) => {
    question = dialog.message();
    await (isAccepted ? dialog.accept() : dialog.dismiss());
  };
  page.once('dialog', answer);
  await act();
  // The browser's Back is done before the page notices.
  if (question === undefined) await setTimeout(300);
  page.off('dialog', answer);
  return question;
}

/** At the page that says so, by the login page of the service. There is no question whether a page of the service may do it. */
export async function signsIn(/** @type {Page} */ page, /** @type {Place} */ at) {
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Username').fill(at.username);
  await page.getByLabel('Password').fill(at.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: `Sign out ${at.username}` }).waitFor();
}
