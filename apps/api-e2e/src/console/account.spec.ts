import { PASSWORD } from '../harness/users.js';
import { describeConsole, startShop } from './describe-console.js';
import { WindowUnderTest } from './window-under-test.js';

describeConsole('An administrator in the console', startShop, (service) => {
  const window = new WindowUnderTest(service, { username: 'the-admin' });

  beforeEach(() => window.goTo());

  it('sees the secret of a key once, copies it, and replaces it', async () => {
    const { page } = window;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.baseUrl });
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'New API key' }).click();
    await page.getByLabel('name').fill('script');
    await page.getByLabel('items:read').check();
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Copy the secret now' });
    const secret = await dialog.locator('code').innerText();
    await window.expectAccessible('secret');
    // Every second Escape closes the confirmation question.
    for (let presses = 0; presses < 5; presses += 1) await page.keyboard.press('Escape', { delay: 50 });
    const question = page.getByRole('dialog', { name: 'Close without copying?' });
    await question.getByRole('button', { name: 'Go back' }).click();
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    const { status } = await fetch(`${service.baseUrl}/items`, { headers: { 'x-api-key': secret } });
    expect(status).toBe(200);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'script' }).waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: 'Give an API key a new secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    expect(await dialog.locator('code').innerText()).not.toBe(secret);
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
  });

  it('sends a ping to a new webhook, and can repeat its delivery', async () => {
    const { page } = window;
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('button', { name: 'New webhook' }).click();
    await page.getByLabel('url').fill('ftp://receiver.example');
    await page.getByLabel('events').fill('item.*');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[name=url][aria-invalid=true]').waitFor();
    await page.getByLabel('url').fill('https://receiver.example/hook');
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Copy the secret now' });
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Send a ping to a webhook' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await window.waitForStatus('Done: send a ping to a webhook.');
    await page.reload();
    await page.getByRole('link', { name: 'webhook.ping' }).click();
    await page.getByRole('button', { name: 'Send an event once more' }).waitFor();
    await window.expectAccessible('delivery');
  });

  it('sees changes of all users with old and new values', async () => {
    const { page } = window;
    const { items } = service.admin;
    const [item] = (await items.page({ sort: 'name', name_prefix: 'Mug 020', limit: 1 })).items;
    await items.replace(item?.id ?? '', { name: 'Mug 020', price: 21.5, color: 'blue' });
    await page.getByRole('link', { name: 'Changes' }).click();
    const change = page.getByRole('listitem').filter({ hasText: 'updated item' }).first();
    await change.filter({ hasText: 'Mug 020' }).waitFor();
    await change.filter({ hasText: /price: 20 → 21\.5/ }).waitFor();
    await window.expectAccessible('changes');
  });

  it('changes the password only with the current password', async () => {
    const { page } = window;
    await page.getByRole('link', { name: 'My account' }).click();
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    await window.expectAccessible('account');
    await page.getByRole('button', { name: 'Change your own password' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change your own password' });
    await dialog.getByLabel('current_password').fill('wrong');
    await dialog.getByLabel('password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.locator('[name=current_password][aria-invalid=true]').waitFor();
    await dialog.getByLabel('current_password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await window.waitForStatus('Done: change your own password.');
  });

  it('ends the session and the login of the browser at sign-out', async () => {
    const { page } = window;
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${service.baseUrl}/oauth/logout`);
    await window.goTo();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });
});
