import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createClient } from '@items/client';
import { freePort, startApp } from '@items/testing';
import { chromium } from 'playwright-core';
import { workspaceRoot } from '../workspace/root.js';
import { buildConsole } from './build-console.js';
import { serveConsole } from './serve-console.js';
import { tryAsAdministrator } from './try-as-administrator.js';
import { tryAsMember } from './try-as-member.js';
import { tryAsNewcomer } from './try-as-newcomer.js';

const PASSWORD = 'correct horse battery staple';

/** Builds the console and uses it in Chromium, as people do, with the real service at another origin. */
export async function checkConsole(/** @type {string} */ executablePath) {
  const folder = await buildConsole();
  const consolePort = await freePort();
  const origin = `http://localhost:${consolePort}`;
  const app = await startApp({ database: 'sqlite', env: { FIRST_PARTY_REDIRECTS: `${origin}/` } });
  const baseUrl = `http://localhost:${app.port}`;
  const admin = createClient({ baseUrl, auth: { apiKey: app.adminKey } });
  const { stop } = await serveConsole(folder, consolePort, baseUrl);
  const axe = readFileSync(createRequire(`${workspaceRoot}/examples/console/`).resolve('axe-core/axe.min.js'), 'utf8');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] });
  try {
    for (const role of /** @type {const} */ (['member', 'admin'])) {
      await admin.users.create({ username: `the-${role}`, password: PASSWORD, role });
    }
    await admin.users.create({ username: 'the-newcomer', password: PASSWORD, role: 'member' });
    for (let index = 0; index < 120; index += 1) {
      await admin.items.create({ name: `Mug ${String(index).padStart(3, '0')}`, price: index });
    }
    const at = { browser, origin, baseUrl, admin, axe, password: PASSWORD };
    await tryAsMember({ ...at, username: 'the-member' });
    await tryAsNewcomer({ ...at, username: 'the-newcomer' });
    await tryAsAdministrator({ ...at, username: 'the-admin' });
  } finally {
    await browser.close();
    stop();
    await app.stop();
  }
}
