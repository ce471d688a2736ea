import { describeConsole, startShop } from './describe-console.js';
import { WindowUnderTest } from './window-under-test.js';

describeConsole('The console', startShop, (service) => {
  describe('on a phone', () => {
    const window = new WindowUnderTest(service, { username: 'the-member', viewport: { width: 390, height: 800 } });

    it('shows each row as a card with its name and two more fields', async () => {
      const { page } = window;
      await page.getByText('in all').waitFor();
      await window.expectAccessible('list');
      const card = page.locator('tbody tr').first();
      expect(await card.locator('td:visible').count()).toBe(3);
    });

    it('has a menu, which closes after a choice', async () => {
      const { page } = window;
      const menu = page.getByRole('button', { name: 'Menu' });
      await menu.click();
      await window.expectAccessible('menu');
      await page.getByRole('link', { name: 'API keys' }).click();
      await page.getByRole('heading', { name: 'API keys' }).waitFor();
      expect(await menu.getAttribute('aria-expanded')).toBe('false');
    });

    it('has an accessible form', async () => {
      await window.goTo('/items/new');
      await window.page.getByLabel('name').waitFor();
      await window.expectAccessible('new');
    });

    it('has an accessible account, with buttons of at least 44 px', async () => {
      const { page } = window;
      await window.goTo('/users/me');
      await page.getByRole('heading', { name: 'Sessions' }).waitFor();
      await window.expectAccessible('account');
      const small = await page.evaluate(`[...document.querySelectorAll('button, .button')].flatMap((button) => {
        const { width, height } = button.getBoundingClientRect();
        return width > 0 && Math.min(width, height) < 43.9 ? [button.outerHTML] : [];
      })`);
      expect(small).toEqual([]);
    });
  });

  describe('with the keyboard alone', () => {
    const window = new WindowUnderTest(service, { username: 'the-member' });

    it('opens the second row of a list, whose heading gets the focus', async () => {
      const { page } = window;
      await window.goTo('/items?sort=name');
      await page.getByText('Mug 000').first().waitFor();
      await page.locator('body').press('Tab');
      const isReached = (): Promise<boolean> => page.evaluate(`document.activeElement.textContent === 'Mug 001'`);
      for (let steps = 0; steps < 80 && !(await isReached()); steps += 1) await page.keyboard.press('Tab');
      expect(await isReached()).toBe(true);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Mug 001' }).waitFor();
      expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
    });
  });
});
