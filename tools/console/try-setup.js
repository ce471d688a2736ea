import assert from 'node:assert/strict';
import { startApp } from '@items/testing';
import { assertAccessible, openWindow, PASSWORD } from './page-under-test.js';

/** Tests the setup after the first start, on a phone. */
export async function trySetup(/** @type {Omit<import('./page-under-test.js').Site, 'baseUrl'>} */ parts) {
  const app = await startApp({ database: 'sqlite', env: { ADMIN_API_KEY: '' } });
  try {
    const site = { ...parts, baseUrl: `http://localhost:${app.port}` };
    const [link = ''] = /http\S+\/console\/setup#\S+/.exec(app.process.log()) ?? [];
    const { page, complaints, close } = await openWindow(site, { viewport: { width: 390, height: 800 } });
    await page.goto(link);
    await page.getByLabel('Username').fill('Ada');
    await page.getByLabel('Password').fill('short');
    assert.equal(page.url().includes('#'), false, 'the token leaves the address');
    await page.getByRole('button', { name: 'Create administrator' }).click();
    await page.locator('[name=password][aria-invalid=true]').waitFor();
    await assertAccessible(page, site, 'setup');
    await page.getByLabel('Username').fill('ada');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create administrator' }).click();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    await page.getByLabel('Username').fill('ada');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('There are no items yet').waitFor();
    await assertAccessible(page, site, 'empty');
    await page.goto(link);
    await page.getByLabel('Username').fill('eve');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create administrator' }).click();
    await page.getByRole('alert').filter({ hasText: 'A user exists already.' }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  } finally {
    await app.stop();
  }
}
