import { describeConsole, startShop } from './describe-console.js';
import { WindowUnderTest } from './window-under-test.js';

describeConsole('A member in the console', startShop, (service) => {
  const window = new WindowUnderTest(service, { username: 'the-admin' });

  const idOf = async (name: string): Promise<string> => {
    const { items } = await service.admin.items.page({ sort: 'name', name_prefix: name, limit: 1 });
    return items[0]?.id ?? '';
  };

  it('is created by a form that shows errors at their fields', async () => {
    const { page } = window;
    await page.getByRole('button', { name: 'New item' }).click();
    const name = page.getByLabel('name');
    await name.waitFor();
    expect(await page.evaluate('document.activeElement.name')).toBe('name');
    await page.getByLabel('price').fill('much');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[name=name][aria-invalid=true]').waitFor();
    const described = await page.locator('[name=price]').getAttribute('aria-describedby');
    const error = page.locator(`#${described?.split(' ').at(-1) ?? ''}`);
    expect(await error.innerText()).toBe('"price" must be a number.');
    await window.expectAccessible('new');
    await name.fill('Pot');
    await page.getByLabel('price').fill('12,50');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Pot' }).waitFor();
    await page.getByText('$12.50').waitFor();
    await page.getByRole('complementary', { name: 'Changes' }).getByText('You created').waitFor();
    await window.expectAccessible('member');
  });

  it('is shown as text, even if its name is markup', async () => {
    const { page } = window;
    const name = '<img src=x onerror=alert(1)>';
    await window.goTo('/items/new');
    await page.getByLabel('name').fill(name);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name }).waitFor();
    expect(await page.locator('img').count()).toBe(0);
  });

  it('asks before changes are lost, for each way to leave the form', async () => {
    const { page } = window;
    await window.goTo('/items?sort=name');
    await page.getByRole('link', { name: 'Mug 000' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('color').fill('green');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    const url = page.url();
    const goBack = (): Promise<unknown> => page.goBack().catch(() => undefined);
    const waysOut = [
      () => page.getByRole('link', { name: 'Users', exact: true }).click(),
      goBack,
      async () => {
        await goBack();
        await question.waitFor();
        await goBack();
      },
      () => page.getByRole('button', { name: 'Cancel' }).click(),
    ];
    for (const leave of waysOut) {
      await leave();
      await question.getByRole('button', { name: 'Stay' }).click();
      expect(await page.getByLabel('color').inputValue()).toBe('green');
      expect(page.url()).toBe(url);
    }
    await page.getByRole('button', { name: 'Save' }).click();
    await window.waitForStatus('is saved.');
    await page.getByText('green').first().waitFor();
  });

  it('merges the changes of two windows; the user chooses if both changed a field', async () => {
    const { page } = window;
    const { items } = service.admin;
    const id = await idOf('Mug 010');
    await window.goTo(`/items/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('price').fill('99');
    await page.getByLabel('description').fill('Mine');
    await items.replace(id, { name: 'Mug 010', price: 77, color: 'theirs' });
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: /Somebody else/ });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    expect(await dialog.getByRole('rowheader').allInnerTexts()).toEqual(['description', 'color', 'price']);
    await window.expectAccessible('conflict');
    await dialog.getByLabel('Keep mine: price').check();
    await items.replace(id, { name: 'Mug 010a', price: 77, color: 'theirs' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    // The dialog does not list a change that is already merged.
    await dialog.getByRole('rowheader', { name: 'name' }).waitFor();
    expect(await dialog.getByRole('rowheader').allInnerTexts()).toEqual(['name', 'description', 'price']);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await window.waitForStatus('Mug 010a is saved.');
    expect(await items.get(id)).toMatchObject({ price: 99, color: 'theirs', description: 'Mine' });
  });

  it('is found for an order by the first letters of its name; the order is confirmed and shipped', async () => {
    const { page } = window;
    await window.goTo();
    await page.getByRole('link', { name: 'My orders' }).first().click();
    await page.getByRole('button', { name: 'New order' }).click();
    const item = page.getByLabel('item_id');
    await item.fill('Mug 02');
    await page.locator('datalist option[value="Mug 021"]').waitFor({ state: 'attached' });
    await item.fill('Mug 021');
    await page.getByLabel('quantity').fill('0');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[name="lines.0.quantity"][aria-invalid=true]').waitFor();
    await page.getByLabel('quantity').fill('2');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('$42.00').waitFor();
    for (const status of ['confirmed', 'shipped']) {
      await page.getByRole('button', { name: 'New transition' }).click();
      const dialog = page.getByRole('dialog', { name: 'New transition' });
      await dialog.getByLabel('to').selectOption(status);
      await window.expectAccessible('action');
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await page.locator('dd').getByText(status, { exact: true }).waitFor();
    }
    await window.expectAccessible('order');
  });

  it('is deleted after a confirmation', async () => {
    const { page } = window;
    await window.goTo(`/items/${await idOf('Mug 031')}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Mug 031?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await window.waitForStatus('Mug 031 is deleted.');
    await page.waitForURL(`${service.baseUrl}/console/items`);
    expect(await idOf('Mug 031')).toBe('');
  });
});
