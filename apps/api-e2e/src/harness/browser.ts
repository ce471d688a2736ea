import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  chromium,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  type PageScreenshotOptions,
} from 'playwright-core';

/** Default: the path on Debian; `.ci/run` installs it if it is missing. */
const EXECUTABLE = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Folder for screenshots. If undefined, none are taken. */
const SCREENSHOTS = process.env['SCREENSHOTS'];

/** A host name that Chromium resolves to this machine, without trusting it like `localhost`. */
export const PLAIN_HOST = 'items.test';

const ARGUMENTS = [
  `--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** `describe` for specs of pages. They are skipped without a browser. */
export const describeWithBrowser: jest.Describe = existsSync(EXECUTABLE) ? describe : skippedAloud();

function skippedAloud(): jest.Describe {
  process.stderr.write(`There is no Chromium at ${EXECUTABLE}: the tests of the pages are skipped.\n`);
  return describe.skip;
}

/** A browser of a single test, without data of others. */
export interface OpenBrowser {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

export async function openBrowser(options: BrowserContextOptions = {}): Promise<OpenBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'items-chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: EXECUTABLE,
    headless: true,
    args: ARGUMENTS,
    ...options,
  });
  return {
    context,
    close: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** Saves a screenshot in the folder `SCREENSHOTS`, if that is set. */
export async function takePicture(page: Page, name: string, options: PageScreenshotOptions = {}): Promise<void> {
  if (SCREENSHOTS !== undefined) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), ...options });
}
