import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '@items/service';
import { authors, books, loans } from './dist/books.js';

/* Starts the service and checks what it promises: `npm run build && npm test`. */
const folder = mkdtempSync(join(tmpdir(), 'books-'));
const { DATABASE_URL = `sqlite:${join(folder, 'books.sqlite')}` } = process.env;
const settings = { DATABASE_URL, PORT: '0', HOST: '127.0.0.1', RATE_LIMIT: '100000/60', LOG_LEVEL: 'error' };
const service = await startService({ collections: [authors, books, loans], settings, info: { title: 'Books' } });
const { url, adminKey } = service;

async function ask(method, path, body, headers = {}) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { 'x-api-key': adminKey, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) };
}

const add = (title, author_id, year) => ask('POST', '/books', { title, author_id, year });

async function author(name) {
  const { status, body } = await ask('POST', '/authors', { name });
  assert.equal(status, 201, JSON.stringify(body));
  return body.id;
}

async function members() {
  const author_id = await author('Jane Austen');
  const { status, headers, body } = await add(' Emma ', author_id, 1815);
  assert.equal(status, 201);
  assert.equal(body.title, 'Emma');
  const path = headers.get('location');
  const etag = headers.get('etag');
  assert.equal(path, `/books/${body.id}`);
  assert.equal((await ask('GET', path, undefined, { 'if-none-match': etag })).status, 304);
  const replaced = await ask('PUT', path, { title: 'Emma', author_id }, { 'if-match': etag });
  assert.deepEqual([replaced.status, replaced.body.year], [200, null]);
  const late = await ask('PUT', path, { title: 'E', author_id }, { 'if-match': etag });
  assert.deepEqual([late.status, late.body.code], [412, 'precondition_failed']);
  assert.equal((await ask('DELETE', path)).status, 204);
  assert.equal((await ask('GET', path)).status, 404);
}

async function errors() {
  const wrong = await ask('POST', '/books', { title: '', year: 1.5, pages: 3 });
  assert.deepEqual([wrong.status, wrong.body.code], [422, 'validation_failed']);
  assert.deepEqual(wrong.body.details.map(({ field }) => field).sort(), ['author_id', 'pages', 'title', 'year']);
  const patch = await ask('PATCH', '/books');
  assert.deepEqual([patch.status, patch.headers.get('allow')], [405, 'GET, HEAD, POST, OPTIONS']);
  assert.deepEqual((await ask('GET', '/nothing')).body.code, 'route_not_found');
  assert.equal((await ask('GET', '/books?sort=isbn')).status, 400);
}

async function idempotency() {
  const author_id = await author('Key');
  const post = (title) => ask('POST', '/books', { title, author_id }, { 'idempotency-key': 'once' });
  const [first, again, other] = [await post('One'), await post('One'), await post('Two')];
  assert.deepEqual([first.status, again.status, other.status], [201, 201, 422]);
  assert.equal(again.body.id, first.body.id);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.equal((await ask('GET', `/books?author_id=${author_id}`)).body.total, 1);
}

async function documents() {
  const { status, body } = await ask('GET', '/openapi.json');
  assert.deepEqual([status, body.openapi, body.info.title], [200, '3.1.0', 'Books']);
  const methods = Object.entries(body.paths).flatMap(([path, item]) =>
    ['get', 'post', 'put', 'delete'].filter((method) => method in item).map((method) => `${method} ${path}`),
  );
  for (const each of ['get /books', 'post /books', 'get /books/{id}', 'put /books/{id}', 'delete /books/{id}'])
    assert.ok(methods.includes(each), each);
  assert.ok(!methods.some((each) => /items|orders/.test(each)), 'of another service');
  assert.equal((await fetch(`${url}/docs`)).status, 200);
}

async function events() {
  const { status, body } = await ask('GET', '/events?limit=1&type=book.*');
  assert.deepEqual([status, body.events[0].type], [200, 'book.created']);
  assert.equal((await fetch(`${url}/books`)).status, 401);
  const key = await ask('POST', '/api-keys', { name: 'reader', scopes: ['books:read'] });
  assert.equal(key.status, 201, JSON.stringify(key.body));
  const { status: refused } = await ask('DELETE', '/books/1', undefined, { 'x-api-key': key.body.key });
  assert.equal(refused, 403);
}

async function keys() {
  const author_id = await author('Mary Shelley');
  assert.equal((await ask('POST', '/authors', { name: 'Mary Shelley' })).body.code, 'not_unique');
  const book = { title: 'Frankenstein', isbn: '978-0-19-953150-4', author_id };
  assert.equal((await ask('POST', '/books', book)).status, 201);
  const second = await ask('POST', '/books', book);
  assert.deepEqual([second.status, second.body.error], [409, 'Another book has this isbn.']);
  const unknown = await ask('POST', '/books', { title: 'Lodore', author_id: randomUUID() });
  assert.deepEqual([unknown.status, unknown.body.details[0].code], [422, 'unknown_reference']);
  assert.equal((await ask('DELETE', `/authors/${author_id}`)).body.code, 'has_references');
}

/** Only one of 16 concurrent requests lends the book. A lent book cannot be deleted. */
async function lending() {
  const { body: book } = await add('The Last Man', await author('M. Shelley'), 1826);
  const lend = (n) => ask('POST', '/loans', { book_id: book.id, reader: `Reader ${n}` });
  const lent = await Promise.all([...Array(16).keys()].map(lend));
  const [loan, ...more] = lent.filter(({ status }) => status === 201);
  assert.deepEqual([loan?.body.book_id, more], [book.id, []]);
  assert.equal((await ask('GET', `/books/${book.id}`)).body.lent, true);
  assert.equal((await ask('DELETE', `/books/${book.id}`)).body.code, 'book_lent');
  assert.equal((await ask('PUT', `/loans/${loan.body.id}`, {})).status, 405);
  assert.equal((await ask('DELETE', `/loans/${loan.body.id}`)).status, 204);
  assert.equal((await ask('DELETE', `/books/${book.id}`)).status, 204);
}

/** Every walk lists all books as they were at its first page, despite concurrent writes. */
async function walks() {
  const author_id = await author('Walk');
  const ids = [];
  for (let n = 0; n < 60; n += 1) ids.push((await add(`Book ${n}`, author_id, n % 7)).body.id);
  let over = false;
  const write = async () => {
    while (!over) {
      const id = ids[Math.floor(Math.random() * ids.length)];
      const year = Math.floor(Math.random() * 7);
      await ask('PUT', `/books/${id}`, { title: `Changed ${year}`, author_id, year });
      await add('New', author_id, year);
    }
  };
  const writers = [write(), write(), write()];
  try {
    for (let round = 0; round < 10; round += 1) {
      const seen = [];
      const query = `/books?author_id=${author_id}&sort=year&limit=7&cursor=`;
      const before = await ask('GET', `/books?author_id=${author_id}&per_page=1&sort=year`);
      let page = await ask('GET', `/books?author_id=${author_id}&sort=year&limit=7`);
      const after = await ask('GET', `/books?author_id=${author_id}&per_page=1&sort=year`);
      for (;;) {
        assert.equal(page.status, 200, JSON.stringify(page.body));
        seen.push(...page.body.books);
        if (page.body.next_cursor === undefined) break;
        page = await ask('GET', query + page.body.next_cursor);
      }
      const order = seen.map(({ year }) => year);
      assert.deepEqual(
        order,
        [...order].sort((a, b) => a - b),
      );
      assert.equal(new Set(seen.map(({ id }) => id)).size, seen.length, 'a book is listed twice');
      for (const id of ids)
        assert.ok(
          seen.some((book) => book.id === id),
          'a book is skipped',
        );
      assert.ok(
        seen.length >= before.body.total && seen.length <= after.body.total,
        'new books are listed, or old ones not',
      );
    }
  } finally {
    over = true;
    await Promise.all(writers);
  }
  const { body } = await ask('GET', `/books?author_id=${author_id}&per_page=1`);
  let counted = 0;
  for (let page = 1; ; page += 1) {
    const { books } = (await ask('GET', `/books?author_id=${author_id}&per_page=100&page=${page}`)).body;
    counted += books.length;
    if (books.length < 100) break;
  }
  assert.equal(body.total, counted);
  console.log(`10 walks among ${counted - ids.length} new books and as many changes: each exact`);
}

try {
  for (const check of [members, errors, keys, lending, idempotency, documents, events, walks]) {
    await check();
    console.log(`ok: ${check.name}`);
  }
} finally {
  await service.stop();
  rmSync(folder, { recursive: true });
}
