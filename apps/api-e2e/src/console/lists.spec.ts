import type { Page } from 'playwright-core';

import { eventually } from '../harness/receiver.js';
import { describeConsole, startShop } from './describe-console.js';
import { WindowUnderTest } from './window-under-test.js';

/** Maximum CPU time of the page until a view is shown. */
const MAX_VIEW_MS = 150;

/** Starts to measure the CPU time of the page. @returns a function that returns the time since then, in ms. */
async function cpuOf(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
  const before = await read();
  return async () => (await read()) - before;
}

describeConsole('A list of the console', startShop, (service) => {
  const window = new WindowUnderTest(service, { username: 'the-admin' });

  /** Scrolls until all items are loaded. */
  const loadAll = async (): Promise<void> => {
    const { page } = window;
    for (let attempt = 0; attempt < 150 && (await page.locator('tbody tr').count()) < 120; attempt += 1) {
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      await page.waitForTimeout(100);
    }
  };
  const isScrolledTo = (y: number): Promise<true> =>
    eventually(async () => Math.abs((await window.page.evaluate<number>('scrollY')) - y) < 40 || undefined);

  it('opens after the login and shows the first collection', async () => {
    const { total } = await service.admin.items.page({ per_page: 1 });
    expect(total).toBe(120);
    await window.page.getByText('120 in all').waitFor();
    expect(window.page.url()).toMatch(/\/console\/items$/);
  });

  it('opens with at most three requests and 150 ms of CPU time', async () => {
    const { page } = window;
    await page.getByText('120 in all').waitFor();
    const requests: string[] = [];
    const onRequest = (request: { url(): string }): unknown => requests.push(request.url());
    page.on('request', onRequest);
    const cpu = await cpuOf(page);
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByRole('link', { name: 'the-viewer' }).waitFor();
    expect(await cpu()).toBeLessThan(MAX_VIEW_MS);
    page.off('request', onRequest);
    expect(requests.slice(3)).toEqual([]);
    await page.goBack();
    await page.getByText('120 in all').waitFor();
  });

  it('is sorted by the head of a column, up and down', async () => {
    const { page } = window;
    await window.goTo('/items');
    const price = page.getByRole('columnheader', { name: 'price' });
    await price.getByRole('button').click();
    await page.locator('th[aria-sort=ascending]').waitFor();
    expect((await window.column('price'))[0]).toBe('$0.00');
    await price.getByRole('button').click();
    await page.locator('th[aria-sort=descending]').waitFor();
    await page.getByText('$119.00').waitFor();
    expect(await page.locator('th[aria-sort]').count()).toBe(1);
  });

  it('shows a range without a total, also after a reload', async () => {
    const { page } = window;
    await window.goTo('/items?sort=-price');
    await page.getByText('$119.00').waitFor();
    await page.getByLabel('price from').fill('10');
    await page.getByLabel('price to').fill('12');
    await page.getByText('$12.00').waitFor();
    await page.locator('tbody tr').nth(3).waitFor({ state: 'detached' });
    expect(await window.column('price')).toEqual(['$12.00', '$11.00', '$10.00']);
    expect(await page.getByText('in all').count()).toBe(0);
    expect(page.url()).toMatch(/sort=-price&price_min=10&price_max=12$/);
    await page.reload();
    await page.getByText('$12.00').waitFor();
    expect(await page.getByLabel('price from').inputValue()).toBe('10');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('120 in all').waitFor();
  });

  it('shows the items of a color, or a message if there are none', async () => {
    const { page } = window;
    await window.goTo('/items');
    await page.getByLabel('color', { exact: true }).fill('blue');
    await page.getByText('60 in all').waitFor();
    await page.getByLabel('color', { exact: true }).fill('nothing');
    await page.getByText('Nothing matches these filters').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('120 in all').waitFor();
  });

  it('is accessible', async () => {
    await window.goTo('/items?sort=-price');
    await window.page.getByText('120 in all').waitFor();
    await window.expectAccessible('list');
  });

  it('shows rows that arrive before the first paint', async () => {
    for (let attempt = 0; attempt < 8; attempt += 1) {
      await window.goTo('/users');
      await window.page.getByRole('link', { name: 'the-viewer', exact: true }).waitFor();
    }
  });

  it('is endless, and shows each row once during concurrent writes', async () => {
    const { page } = window;
    await window.goTo('/items');
    await page.getByRole('columnheader', { name: 'name' }).getByRole('button').click();
    await page.getByText('Mug 000').waitFor();
    const { id } = await service.admin.items.create({ name: 'Mug 000a' });
    await loadAll();
    const names = await window.column('name');
    expect(names).toEqual([...new Set(names)].sort());
    expect(names).toHaveLength(120);
    await service.admin.items.delete(id);
  });

  it('has its scroll position again after Back and after a reload', async () => {
    const { page } = window;
    await window.goTo('/items?sort=name');
    await page.getByText('Mug 000').waitFor();
    await loadAll();
    await page.evaluate('scrollTo(0, 3000)');
    const y = await page.evaluate<number>('new Promise((resolve) => setTimeout(() => resolve(scrollY), 400))');
    const row = page.locator('tbody tr').nth(75).getByRole('link');
    const name = await row.innerText();
    await row.click();
    await page.getByRole('heading', { name, exact: true }).waitFor();
    await page.goBack();
    await page.locator('tbody tr').nth(100).waitFor();
    await isScrolledTo(y);
    await page.reload();
    await page.locator('tbody tr').nth(75).waitFor();
    await isScrolledTo(y);
  });

  it('announces new members that others create, and applies changes and deletions in place', async () => {
    const { page } = window;
    const { items } = service.admin;
    await window.goTo('/items');
    await page.getByRole('link', { name: 'Orders', exact: true }).click();
    await page.getByText('There are no orders yet').waitFor();
    await page.getByRole('link', { name: 'Items', exact: true }).click();
    await page.getByRole('columnheader', { name: 'price' }).waitFor();
    // The console starts to read events after the list.
    await page.waitForTimeout(1500);
    const { id } = await items.create({ name: 'New mug', price: 1 });
    await page.getByRole('button', { name: '1 new' }).click();
    await page.getByRole('link', { name: 'New mug' }).waitFor();
    await items.replace(id, { name: 'Newer mug', price: 2 });
    await page.getByRole('link', { name: 'Newer mug' }).click();
    await page.getByRole('heading', { name: 'Newer mug' }).waitFor();
    await items.replace(id, { name: 'Newest mug', price: 2 });
    await page.getByText('Somebody has changed this member.').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Newest mug' }).waitFor();
    await items.delete(id);
    await page.getByRole('link', { name: 'Newest mug' }).waitFor({ state: 'detached' });
  });
});
