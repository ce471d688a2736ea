import type { User } from '@items/client';
import { freePort, startApp, type RunningApp } from '@items/testing';

import { PLAIN_HOST } from '../harness/chromium.js';
import { PASSWORD } from '../harness/users.js';
import { describeConsole, startShop } from './describe-console.js';
import { WindowUnderTest } from './window-under-test.js';

describeConsole('Access to the console', startShop, (service) => {
  describe('of a viewer', () => {
    const window = new WindowUnderTest(service, { username: 'the-viewer' });

    it('offers no action that the service would refuse', async () => {
      const { page } = window;
      await page.getByText('in all').waitFor();
      const entries = page.getByRole('navigation', { name: 'Collections' }).getByRole('link');
      expect(await entries.allInnerTexts()).toEqual(['Items', 'My orders', 'Sessions', 'Events']);
      expect(await page.getByRole('button', { name: 'New item' }).count()).toBe(0);
      await page.locator('tbody').getByRole('link').first().click();
      await page.getByText('created_at').waitFor();
      expect(await page.getByRole('button', { name: /Edit|Delete/ }).count()).toBe(0);
      await page.getByRole('link', { name: 'My orders' }).click();
      await page.getByText('There are no orders yet').waitFor();
      expect(await page.getByText('creates the first one').count()).toBe(0);
    });

    it('shows the time of the next attempt if the quota is used up', async () => {
      const { page } = window;
      const json = { error: 'Too many requests.', code: 'rate_limited' };
      const refusal = { status: 429, headers: { 'retry-after': '3' }, json };
      await page.route('**/sessions?*', (route) => route.fulfill(refusal), { times: 1 });
      await page.getByRole('link', { name: 'Sessions' }).click();
      await window.waitForStatus(/The console tries again in \d s/);
      await page.locator('tbody tr').first().waitFor();
    });

    it('reports that it is offline, and continues automatically', async () => {
      const { page } = window;
      await page.context().setOffline(true);
      await window.waitForStatus('You are offline.');
      await page.getByRole('link', { name: 'Events' }).click();
      await page.getByText(/tries again in \d+ s/).waitFor();
      await page.context().setOffline(false);
      await page.locator('tbody tr').first().waitFor();
      await page.getByText('You are offline.').waitFor({ state: 'detached' });
    });
  });

  describe('that ends while a user types', () => {
    const window = new WindowUnderTest(service);
    let user: User;

    beforeAll(async () => {
      user = await service.admin.users.create({ username: 'the-typist', password: PASSWORD, role: 'admin' });
      await window.signIn(user.username);
    });

    /** Ends the login on the server, saves to notice it, and signs in again. */
    const signInAgain = async (): Promise<void> => {
      const { page } = window;
      const { username, role } = user;
      for (const disabled of [true, false]) await service.admin.users.replace(user.id, { username, role, disabled });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').filter({ hasText: 'Your login has ended.' }).waitFor();
      const url = page.url();
      await page.getByRole('button', { name: 'Sign in' }).click();
      await window.logIn(username);
      await page.waitForURL(url);
    };

    it('loses no text', async () => {
      const { page } = window;
      await window.goTo('/items/new');
      await page.getByLabel('name').fill('Typed mug');
      await signInAgain();
      expect(await page.getByLabel('name').inputValue()).toBe('Typed mug');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'Typed mug' }).waitFor();
    });

    it('overwrites no change of other users', async () => {
      const { page } = window;
      const { id } = await service.admin.items.create({ name: 'Our mug' });
      await window.goTo(`/items/${id}`);
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel('name').fill('My mug');
      await signInAgain();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await service.admin.items.replace(id, { name: 'Their mug' });
      await page.reload();
      await page.getByRole('button', { name: 'Edit' }).click();
      expect(await page.getByLabel('name').inputValue()).toBe('My mug');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog', { name: /Somebody else/ }).waitFor();
    });
  });

  describe('by an address', () => {
    const window = new WindowUnderTest(service);

    it('other than BASE_URL links to BASE_URL', async () => {
      const view = '/console/items?sort=name';
      await window.page.goto(`${service.app.baseUrl}${view}`);
      const right = window.page.getByRole('link', { name: /^Open localhost/ });
      expect(await right.getAttribute('href')).toBe(`${service.baseUrl}${view}`);
    });

    it('without HTTPS is refused, because others could read the login', async () => {
      const port = await freePort();
      const baseUrl = `http://${PLAIN_HOST}:${String(port)}`;
      const app: RunningApp = await startApp({ database: 'sqlite', port, env: { BASE_URL: baseUrl } });
      await window.page.goto(`${baseUrl}/console`);
      await window.page.getByText('The console needs HTTPS').waitFor();
      await app.stop();
    });
  });
});
