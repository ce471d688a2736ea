import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@items/client';
import { freePort, startApp } from '@items/testing';
import { build } from 'esbuild';
import { workspaceRoot } from '../workspace/root.ts';
import { serveFiles } from './serve-page.js';

const USER = { username: 'reader', password: 'correct horse battery', role: /** @type {const} */ ('viewer') };

/**
 * Builds the page of docs/keep-a-copy.md from its code blocks, and uses it online and offline.
 * @param {import('playwright-core').Browser} browser
 */
export async function tryDocumentedPage(browser) {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const app = await startApp({ database: 'sqlite', env: { FIRST_PARTY_REDIRECTS: `${origin}/` } });
  const baseUrl = `http://localhost:${app.port}`;
  const admin = createClient({ baseUrl, auth: { apiKey: app.adminKey } });
  await admin.users.create(USER);
  await admin.items.create({ name: 'Mug', price: 4.35 });
  const files = await documentedFiles(baseUrl);
  let stopPage = await serveFiles(port, files);
  const page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(20_000);
  try {
    await page.goto(origin);
    await page.getByLabel('Username').fill(USER.username);
    await page.getByLabel('Password').fill(USER.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Mug: 4.35').waitFor();
    await admin.items.create({ name: 'Bowl', price: 3 });
    await page.getByText('Bowl: 3').waitFor();

    stopPage();
    await app.end('SIGKILL');
    await page.reload();
    await page.getByText('Bowl: 3').waitFor();
    await page.getByText('offline').waitFor();
    assert.equal(await page.locator('#items li').count(), 2);

    stopPage = await serveFiles(port, files);
    // The service is stopped, so the revocation fails. The rows are deleted before it.
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.waitForFunction(`document.querySelectorAll('#items li').length === 0`);
  } finally {
    stopPage();
    await app.stop('SIGKILL');
  }
}

/** @param {string} baseUrl @returns {Promise<Record<string, string>>} path → content. */
async function documentedFiles(baseUrl) {
  const text = readFileSync(join(workspaceRoot, 'docs/keep-a-copy.md'), 'utf8');
  const blockAfter = (/** @type {string} */ name) =>
    new RegExp(`^\`${name}\`[^\\n]*:\\n\\n\`\`\`\\w+\\n(.*?)^\`\`\``, 'ms').exec(text)?.[1] ?? '';
  const { outputFiles } = await build({
    stdin: { contents: blockAfter('page.js').replace('http://localhost:3000', baseUrl), resolveDir: workspaceRoot },
    bundle: true,
    write: false,
    format: 'esm',
  });
  return {
    '/': blockAfter('index.html'),
    '/main.js': outputFiles[0]?.text ?? '',
    '/worker.js': blockAfter('worker.js'),
  };
}
