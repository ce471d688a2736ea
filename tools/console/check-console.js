import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createClient } from '@items/client';
import { startApp } from '@items/testing';
import { chromium } from 'playwright-core';
import { ensureConsoleBuilt } from '../workspace/build-console.ts';
import { PASSWORD, PLAIN_HOST } from './page-under-test.js';
import { startSecondApp } from './second-app.js';
import { trySetup } from './try-setup.js';
import { tryAccess } from './try-access.js';
import { tryAccount } from './try-account.js';
import { tryLists } from './try-lists.js';
import { tryMembers } from './try-members.js';
import { tryPhone } from './try-phone.js';
import { trySecondApp } from './try-second-app.js';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', `--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`];

/** Uses the console in Chromium like a person, with the service of `apps/api` and with a second one. */
export async function checkConsole(/** @type {string} */ executablePath) {
  await ensureConsoleBuilt();
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  try {
    await withApp(async ({ baseUrl, admin }) => {
      const site = { browser, baseUrl, axe, admin };
      for (const each of [tryLists, tryMembers, tryAccount, tryAccess, tryPhone]) {
        console.log(each.name);
        await each(site);
      }
    });
    console.log(trySetup.name);
    await trySetup({ browser, axe });
    console.log(trySecondApp.name);
    const { baseUrl, admin, stop } = await startSecondApp();
    await trySecondApp({ browser, baseUrl, axe, admin }).finally(stop);
  } finally {
    await browser.close();
  }
}

/** @param {(app: { baseUrl: string, admin: import('@items/client').ItemsClient }) => Promise<void>} use */
async function withApp(use) {
  const app = await startApp({ database: 'sqlite' });
  const baseUrl = `http://localhost:${app.port}`;
  const admin = createClient({ baseUrl, auth: { apiKey: app.adminKey } });
  try {
    for (const role of /** @type {const} */ (['viewer', 'member', 'admin'])) {
      await admin.users.create({ username: `the-${role}`, password: PASSWORD, role });
    }
    for (let index = 0; index < 120; index += 1) {
      const color = index % 2 === 0 ? 'blue' : 'red';
      await admin.items.create({ name: `Mug ${String(index).padStart(3, '0')}`, price: index, color });
    }
    const { total } = await admin.items.page({ per_page: 1 });
    assert.equal(total, 120);
    await use({ baseUrl, admin });
  } finally {
    await app.stop();
  }
}
