import { readFileSync } from 'node:fs';

import type { BrowserContextOptions, Page } from 'playwright-core';

import { openBrowser, takePicture, type OpenBrowser } from '../harness/chromium.js';
import { PASSWORD } from '../harness/users.js';
import type { ServiceUnderTest } from './describe-console.js';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export interface WindowOptions extends BrowserContextOptions {
  /** Signs in. */
  readonly username?: string;
}

/**
 * A browser window with a new profile, which the tests of a `describe` share. Each test fails if the page has an error
 * or violates its content security policy.
 */
export class WindowUnderTest {
  page!: Page;
  private browser!: OpenBrowser;
  private readonly complaints: string[] = [];

  constructor(
    private readonly service: ServiceUnderTest,
    { username, ...options }: WindowOptions = {},
  ) {
    beforeAll(async () => {
      await this.open({ viewport: { width: 1280, height: 800 }, ...options });
      if (username !== undefined) await this.signIn(username);
    });
    afterEach(() => {
      expect(this.complaints.splice(0)).toEqual([]);
    });
    afterAll(() => this.browser.close());
  }

  async goTo(path = ''): Promise<void> {
    await this.page.goto(`${this.service.baseUrl}/console${path}`);
  }

  /** Signs in on the login page of the service, and returns to a view. */
  async signIn(username: string, path = ''): Promise<void> {
    await this.goTo(path);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.logIn(username);
    await this.page.getByRole('button', { name: 'Sign out' }).waitFor();
  }

  async logIn(username: string): Promise<void> {
    await this.page.getByLabel('Username').fill(username);
    await this.page.getByLabel('Password').fill(PASSWORD);
    await this.page.getByRole('button', { name: 'Log in' }).click();
  }

  /**
   * Checks a view in light and dark mode: axe finds no problem, and nothing is wider than the window, also with text
   * at 200 %.
   */
  async expectAccessible(view: string): Promise<void> {
    const { page } = this;
    const { width = 0 } = page.viewportSize() ?? {};
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.evaluate(AXE);
      const violations = await page.evaluate(`axe.run().then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`);
      const widths = [await this.contentWidth()];
      await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
      widths.push(await this.contentWidth());
      await page.evaluate(`document.documentElement.style.fontSize = ''`);
      const tooWide = widths.filter((each) => !(each <= width));
      expect({ view, colorScheme, violations, tooWide }).toEqual({ view, colorScheme, violations: [], tooWide: [] });
      await takePicture(page, `console-${view}-${String(width)}-${colorScheme}`);
    }
  }

  async waitForStatus(text: string | RegExp): Promise<void> {
    await this.page.getByRole('status').filter({ hasText: text }).waitFor();
  }

  /** Returns the texts of a column, from top to bottom. */
  async column(name: string): Promise<string[]> {
    const heads = (await this.page.getByRole('columnheader').allInnerTexts()).map((head) => head.trim());
    expect(heads).toContain(name);
    return this.page.locator(`tbody tr td:nth-child(${String(heads.indexOf(name) + 1)})`).allInnerTexts();
  }

  private async open(options: BrowserContextOptions): Promise<void> {
    this.browser = await openBrowser(options);
    this.page = await this.browser.context.newPage();
    this.page.setDefaultTimeout(60_000);
    this.page.on('pageerror', ({ message }) => this.complaints.push(message));
    this.page.on('console', (message) => {
      if (/Content Security Policy|Refused/.test(message.text())) this.complaints.push(message.text());
    });
  }

  private contentWidth(): Promise<number> {
    return this.page.evaluate<number>('document.documentElement.scrollWidth');
  }
}
