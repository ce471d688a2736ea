import { startBookshop } from '../harness/bookshop.js';
import { PASSWORD } from '../harness/users.js';
import { describeConsole } from './describe-console.js';
import { WindowUnderTest } from './window-under-test.js';

/** All sortable fields. */
const SORTS = ['title', 'price', 'stock', 'published_at', 'created_at', 'updated_at'];

const start = () => startBookshop({ CONSOLE_COLOR: '#b45309', CURRENCY: 'EUR' });

/** The console builds all views from the API document. Each test uses the members that earlier tests created. */
describeConsole('The console of a bookshop', start, (service) => {
  beforeAll(() => service.admin.users.create({ username: 'the-admin', password: PASSWORD, role: 'admin' }));
  const window = new WindowUnderTest(service, { username: 'the-admin' });

  it('has the title and the collections of the service', async () => {
    const { page } = window;
    const entries = page.getByRole('navigation', { name: 'Collections' }).getByRole('link');
    expect((await entries.allInnerTexts()).slice(0, 3)).toEqual(['Authors', 'Books', 'My notes']);
    expect(await page.title()).toMatch(/– Bookshop$/);
  });

  it('has a way to create the first author', async () => {
    const { page } = window;
    await page.getByText('“New author” creates the first one.').waitFor();
    await page.getByRole('button', { name: 'New author' }).click();
    await page.getByLabel('name').fill('Jane Austen');
    await page.getByRole('button', { name: 'Save' }).click();
    await window.waitForStatus('Jane Austen is created.');
  });

  it('has an input for each kind of field of a book', async () => {
    const { page } = window;
    await page.getByRole('link', { name: 'Books', exact: true }).click();
    await page.getByRole('button', { name: 'New book' }).click();
    await page.getByLabel('title').fill('Emma');
    await page.getByLabel('isbn').fill('9780141439587');
    const author = page.getByLabel('author_id');
    await author.fill('Jane');
    await page.locator('datalist option[value="Jane Austen"]').waitFor({ state: 'attached' });
    await author.fill('Jane Austen');
    await page.getByLabel('format').selectOption('paperback');
    await page.getByLabel('price').fill('8.99');
    await page.getByLabel('stock').fill('1200');
    await page.getByLabel('in_print').check();
    await page.getByLabel('published_at').fill('1815-12-23T10:00');
    await window.expectAccessible('book');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Jane Austen' }).waitFor();
    await page.getByText('€8.99').waitFor();
    const title = await page.locator('time').first().getAttribute('title');
    expect(title).toMatch(/^1815-12-23 \d\d:\d\d:\d\d\.\d{3} UTC$/);
    await page.getByRole('link', { name: 'Books', exact: true }).first().click();
    await page.getByRole('link', { name: 'Emma' }).waitFor();
  });

  it('finds the author of a name that is typed before the suggestions arrive', async () => {
    const { page } = window;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/authors\?/, async (route) => {
      await released;
      await route.continue();
    });
    await window.goTo('/books');
    await page.getByRole('button', { name: 'New book' }).click();
    await page.getByLabel('title').fill('Sanditon');
    const author = page.getByLabel('author_id');
    await author.fill('Jane Austen');
    await page.getByLabel('isbn').fill('9780141439990');
    await page.getByLabel('format').selectOption('hardcover');
    await page.getByLabel('stock').fill('1');
    release();
    await page.locator('datalist option[value="Jane Austen"]').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Jane Austen' }).waitFor();
    await page.unroute(/\/authors\?/);
    await service.admin.collection('books').delete(page.url().split('/').at(-1) ?? '');
  });

  it.each(SORTS)('sorts books by %s', async (name) => {
    const { page } = window;
    await window.goTo('/books');
    await page.getByRole('columnheader', { name, exact: true }).getByRole('button').click();
    const text = page.getByText(name.split('_')[0] ?? name);
    await page.locator('th[aria-sort]').filter({ has: text }).waitFor();
    expect(await page.locator('th[aria-sort]').count()).toBe(1);
    expect(page.url()).toMatch(new RegExp(`sort=-?${name}$`));
  });

  it('shows the name of an author instead of the id', async () => {
    await window.goTo('/books');
    await window.page.getByRole('link', { name: 'Emma' }).waitFor();
    expect(await window.column('author_id')).toEqual(['Jane Austen']);
  });

  it('shows an error at the field if another book has the isbn', async () => {
    const { page } = window;
    const books = service.admin.collection<{ id: string }, Record<string, unknown>, 'books'>('books');
    const [emma] = (await books.page()).books;
    await books.create({ ...emma, title: 'Persuasion', isbn: '9780141439686' });
    await window.goTo('/books');
    await page.getByRole('link', { name: 'Persuasion' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('isbn').fill('9780141439587');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[name=isbn][aria-invalid=true]').waitFor();
    await page.getByText('Another book has this isbn.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('link', { name: 'Emma' }).waitFor();
  });

  it('shows the books of a format', async () => {
    const { page } = window;
    await window.goTo('/books');
    await page.getByLabel('format').selectOption('e-book');
    await page.getByText('Nothing matches these filters').waitFor();
    await page.getByLabel('format').selectOption('paperback');
    await page.getByRole('link', { name: 'Emma' }).waitFor();
    await window.expectAccessible('books');
  });

  it('has the quotes of an author below the author, and links back from a quote', async () => {
    const { page } = window;
    await page.getByRole('link', { name: 'Authors', exact: true }).click();
    await page.getByRole('link', { name: 'Jane Austen' }).click();
    const quotes = page.getByRole('region', { name: 'Quotes' });
    await quotes.getByText('There are no quotes yet').waitFor();
    await page.getByRole('button', { name: 'New quote' }).click();
    await page.getByLabel('text').fill('There is no charm equal to tenderness of heart.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.locator('[name=text]:focus').waitFor();
    await page.getByLabel('text').fill('There is no charm.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('h1:focus').filter({ hasText: 'There is no charm.' }).waitFor();
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Jane Austen' }).click();
    await quotes.getByRole('link', { name: 'There is no charm.' }).waitFor();
    await window.expectAccessible('author');
  });

  it('has the notes of a user below the user', async () => {
    const { page } = window;
    await page.getByRole('link', { name: 'My notes' }).click();
    await page.getByRole('button', { name: 'New note' }).click();
    await page.getByLabel('text').fill('Order more copies of Emma');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByRole('link', { name: 'the-admin', exact: true }).click();
    const below = page.getByRole('region', { name: 'Notes' });
    await below.getByRole('link', { name: 'Order more copies of Emma' }).waitFor();
    await window.expectAccessible('user');
  });
});
