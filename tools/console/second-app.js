import { createClient } from '@items/client';
import { Choice, DateTime, Filterable, Flag, Integer, Money, Optional, Reference, Sortable, Text } from '@items/fields';
import { collection, startService } from '@items/service';
import { freePort } from '@items/testing';
import { PASSWORD } from './page-under-test.js';

/**
 * Decorates fields with function calls, because JavaScript has no decorator syntax.
 * @param {Record<string, ((prototype: object, name: string) => void)[]>} fields
 */
function inputOf(fields) {
  const Input = /** @type {new () => Record<string, unknown>} */ (/** @type {unknown} */ (function Input() {}));
  for (const [name, decorators] of Object.entries(fields)) {
    for (const decorate of decorators.toReversed()) decorate(Input.prototype, name);
  }
  return Input;
}

const authors = collection({
  name: 'authors',
  singular: 'author',
  input: inputOf({ name: [Sortable(), Text({ min: 1, max: 200 })] }),
  events: true,
});
const books = collection({
  name: 'books',
  singular: 'book',
  input: inputOf({
    title: [Sortable(), Text({ min: 1, max: 200 })],
    isbn: [Filterable(), Text({ min: 10, max: 17 })],
    author_id: [Filterable(), Reference(authors)],
    format: [Filterable(), Choice(['hardcover', 'paperback', 'e-book'])],
    price: [Sortable(), Optional(), Money()],
    stock: [Sortable(), Integer({ min: 0, max: 100_000 })],
    in_print: [Filterable(), Flag()],
    published_at: [Sortable(), Optional(), DateTime()],
    blurb: [Optional(), Text({ max: 2000 })],
  }),
  unique: ['isbn'],
  events: true,
});
const quotes = collection({
  name: 'quotes',
  singular: 'quote',
  parent: authors,
  input: inputOf({ text: [Text({ min: 1, max: 500 })] }),
  events: true,
});
const notes = collection({
  name: 'notes',
  singular: 'note',
  parent: 'users',
  input: inputOf({ text: [Text({ min: 1, max: 500 })] }),
  events: true,
});

/**
 * Starts a bookshop: a unique field, references, enumerations, booleans, times, and collections below users and authors.
 * @param {string} [host] of `BASE_URL`.
 */
export async function startSecondApp(host = 'localhost') {
  const port = await freePort();
  const baseUrl = `http://${host}:${port}`;
  const settings = {
    ...{ DATABASE_URL: 'sqlite::memory:', PORT: String(port), BASE_URL: baseUrl, LOG_LEVEL: 'error' },
    ...{ RATE_LIMIT: '100000/60', RATE_LIMIT_ANONYMOUS: '100000/60', CONSOLE_COLOR: '#b45309', CURRENCY: 'EUR' },
  };
  const info = { title: 'Bookshop', version: '1.0.0' };
  const { adminKey = '', stop } = await startService({
    collections: [authors, books, quotes, notes],
    info,
    settings,
    signals: false,
  });
  const admin = createClient({ baseUrl: `http://localhost:${port}`, auth: { apiKey: adminKey } });
  await admin.users.create({ username: 'the-admin', password: PASSWORD, role: 'admin' });
  return { baseUrl, admin, stop };
}
