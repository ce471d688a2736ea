import { startApp } from '@items/testing';

import { PASSWORD } from '../harness/users.js';
import { describeConsole } from './describe-console.js';
import { WindowUnderTest } from './window-under-test.js';

const start = () => startApp({ database: 'sqlite', env: { ADMIN_API_KEY: '' } });

describeConsole('The setup of a first start, on a phone', start, (service) => {
  const window = new WindowUnderTest(service, { viewport: { width: 390, height: 800 } });

  const openLink = async (): Promise<void> => {
    const [link = ''] = /http\S+\/console\/setup#\S+/.exec(service.app.process.log()) ?? [];
    await window.page.goto(link);
  };
  const createAdministrator = async (username: string, password: string): Promise<void> => {
    await window.page.getByLabel('Username').fill(username);
    await window.page.getByLabel('Password').fill(password);
    await window.page.getByRole('button', { name: 'Create administrator' }).click();
  };

  it('takes the token from the address', async () => {
    await openLink();
    await window.page.getByLabel('Username').waitFor();
    expect(window.page.url()).not.toContain('#');
  });

  it('creates an administrator, who logs in and sees an empty list', async () => {
    const { page } = window;
    await openLink();
    await createAdministrator('Ada', 'short');
    await page.locator('[name=password][aria-invalid=true]').waitFor();
    await window.expectAccessible('setup');
    await createAdministrator('ada', PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    await window.logIn('ada');
    await page.getByText('There are no items yet').waitFor();
    await window.expectAccessible('empty');
  });

  it('is closed after the first user exists', async () => {
    await openLink();
    await createAdministrator('eve', PASSWORD);
    await window.page.getByRole('alert').filter({ hasText: 'A user exists already.' }).waitFor();
  });
});
