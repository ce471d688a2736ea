import assert from 'node:assert/strict';
import { assertAccessible, column, hears, openWindow, signIn } from './page-under-test.js';

/** @typedef {import('./try-lists.js').Served} Served */

/** Tests a service that is unknown to the console, which builds all views from its API document. */
export async function trySecondApp(/** @type {Served} */ site) {
  const { page, complaints, close } = await openWindow(site);
  await signIn(page, site, 'the-admin');
  const entries = await page.getByRole('navigation', { name: 'Collections' }).getByRole('link').allInnerTexts();
  assert.deepEqual(entries.slice(0, 3), ['Authors', 'Books', 'My notes']);
  assert.match(await page.title(), /– Bookshop$/);

  await page.getByText('“New author” creates the first one.').waitFor();
  await page.getByRole('button', { name: 'New author' }).click();
  await page.getByLabel('name').fill('Jane Austen');
  await page.getByRole('button', { name: 'Save' }).click();
  await hears(page, 'Jane Austen is created.');

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
  await assertAccessible(page, site, 'book');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'Jane Austen' }).waitFor();
  await page.getByText('€8.99').waitFor();
  const title = await page.locator('time').first().getAttribute('title');
  assert.match(title ?? '', /^1815-12-23 \d\d:\d\d:\d\d\.\d{3} UTC$/);

  await page.getByRole('link', { name: 'Books', exact: true }).first().click();
  await page.getByRole('link', { name: 'Emma' }).waitFor();
  await sortsByEachField(page);
  assert.deepEqual(await column(page, 'author_id'), ['Jane Austen']);
  await refusesASecondIsbn(page, site);
  await page.getByLabel('format').selectOption('e-book');
  await page.getByText('Nothing matches these filters').waitFor();
  await page.getByLabel('format').selectOption('paperback');
  await page.getByRole('link', { name: 'Emma' }).waitFor();
  await assertAccessible(page, site, 'books');

  await addsToAnAuthor(page, site);
  await page.getByRole('link', { name: 'My notes' }).click();
  await page.getByRole('button', { name: 'New note' }).click();
  await page.getByLabel('text').fill('Order more copies of Emma');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByRole('link', { name: 'the-admin', exact: true }).click();
  const below = page.getByRole('region', { name: 'Notes' });
  await below.getByRole('link', { name: 'Order more copies of Emma' }).waitFor();
  await assertAccessible(page, site, 'user');
  assert.deepEqual(complaints, []);
  await close();
}

/** Each field to sort by has a column, also those that every collection has. */
async function sortsByEachField(/** @type {import('playwright-core').Page} */ page) {
  for (const name of ['title', 'price', 'stock', 'published_at', 'created_at', 'updated_at']) {
    const head = page.getByRole('columnheader', { name, exact: true });
    await head.getByRole('button').click();
    await page
      .locator('th[aria-sort]')
      .filter({ has: page.getByText(name.split('_')[0] ?? name) })
      .waitFor();
    assert.equal(await page.locator('th[aria-sort]').count(), 1);
    assert.match(page.url(), new RegExp(`sort=-?${name}$`));
  }
}

/** A nested collection stands below its parent, and its members lead back to it. */
async function addsToAnAuthor(/** @type {import('playwright-core').Page} */ page, /** @type {Served} */ site) {
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
  await assertAccessible(page, site, 'author');
}

/** The service's sentence stands at the field. */
async function refusesASecondIsbn(
  /** @type {import('playwright-core').Page} */ page,
  /** @type {Served} */ { baseUrl, admin },
) {
  const books = admin.collection('books');
  const [emma = {}] = /** @type {{ id: string }[]} */ ((await books.page())['books']);
  await books.create({ ...emma, title: 'Persuasion', isbn: '9780141439686' });
  await page.goto(`${baseUrl}/console/books`);
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
}
