import { existsSync } from 'node:fs';
import { createClient } from '@items/client';
import { freePort, startApp } from '@items/testing';
import { chromium } from 'playwright-core';
import { seed } from '../seed/seed.ts';
import { runNpm } from '../workspace/run.ts';
import { trial } from './trial.js';
import { startPreview } from './vite-preview.js';
import { tryPage } from './web-page.js';

/** Path of the Debian package. `.ci/run` installs it if it is missing. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Builds the page, serves it with Vite, and uses it in Chromium, with the real service at another origin. */
export const web = trial('examples/web', 'examples/web', async ({ folder }) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const app = await startApp({ database: 'sqlite', env: { CORS_ORIGINS: url } });
  try {
    const build = { cwd: folder, limitMs: 120_000, env: { VITE_ITEMS_URL: app.baseUrl } };
    const { ok, output } = await runNpm(['run', 'build'], { ...build, output: 'collect' });
    if (!ok) throw new Error(output);
    if (!existsSync(executablePath)) {
      console.error(`There is no Chromium at ${executablePath}: examples/web is built, but not tried (skipped).`);
      return;
    }
    const login = await seed(createClient({ baseUrl: app.baseUrl, auth: { apiKey: app.adminKey } }), () => undefined);
    const stopPreview = await startPreview(folder, port);
    try {
      await inChromium((page) => tryPage(page, { url, service: app.baseUrl, adminKey: app.adminKey, ...login }));
    } finally {
      stopPreview();
    }
  } finally {
    await app.stop();
  }
});

async function inChromium(/** @type {(page: import('playwright-core').Page) => Promise<void>} */ use) {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] });
  try {
    await use(await browser.newPage());
  } finally {
    await browser.close();
  }
}
