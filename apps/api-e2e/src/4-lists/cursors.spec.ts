import type { Item } from '@items/dtos/contract';
import { freshColor } from '@items/testing';

import { admin, anonymous, clientWith } from '../harness/clients.js';
import { createMany, walk, walkPages } from '../harness/items.js';
import { cursorPageOf, errorOf, expectStatus } from '../harness/reading.js';

const color = freshColor();
const BASE_64_URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
let items: Item[];

beforeAll(async () => {
  items = await createMany(24, color);
});

async function cursorOf(query: string): Promise<string> {
  const { next_cursor: cursor } = cursorPageOf(await admin.get(`/items?${query}`));
  if (cursor === undefined) throw new Error('No next_cursor');
  return cursor;
}

async function expectRefused(query: string): Promise<void> {
  const first = await admin.get(`/items?${query}`);
  expect(errorOf(first, 400).error).toContain('cursor');
}

describe('§4 Lists in cursor style', () => {
  it('hold items, limit and next_cursor; next_cursor is absent on the last page', async () => {
    const first = cursorPageOf(await admin.get(`/items?color=${color}&limit=20`));
    expect(Object.keys(first).sort()).toEqual(['items', 'limit', 'next_cursor']);
    expect(first).toMatchObject({ limit: 20 });
    expect(first.items).toHaveLength(20);
    const cursor = encodeURIComponent(first.next_cursor ?? '');
    const last = cursorPageOf(await admin.get(`/items?color=${color}&limit=20&cursor=${cursor}`));
    expect(last.items).toHaveLength(4);
    expect(Object.keys(last).sort()).toEqual(['items', 'limit']);
  });

  it.each([1, 5, 8, 12, 23, 24, 25, 100])('a walk by %i holds every item once', async (limit) => {
    const pages = await walkPages(`color=${color}&limit=${limit}`);
    expect(pages).toHaveLength(Math.ceil(24 / limit));
    const ids = pages.flat().map((item) => item.id);
    expect([...ids].sort()).toEqual(items.map((item) => item.id).sort());
  });

  it('an empty collection is one empty page', async () => {
    const page = cursorPageOf(await admin.get(`/items?color=${freshColor()}&limit=5`));
    expect(page).toEqual({ items: [], limit: 5 });
  });

  it('the default limit of a cursor is 20; a limit above 100 is served as 100, also in the envelope', async () => {
    const cursor = await cursorOf(`color=${color}&limit=1`);
    expect(cursorPageOf(await admin.get(`/items?color=${color}&cursor=${cursor}`))).toMatchObject({ limit: 20 });
    expect(cursorPageOf(await admin.get(`/items?color=${color}&limit=101`))).toMatchObject({ limit: 100 });
  });

  it('limit may change between pages', async () => {
    const first = cursorPageOf(await admin.get(`/items?color=${color}&sort=price&limit=3`));
    const rest = `color=${color}&sort=price&limit=100&cursor=${encodeURIComponent(first.next_cursor ?? '')}`;
    const all = [...first.items, ...cursorPageOf(await admin.get(`/items?${rest}`)).items];
    expect(all).toEqual(await walk(`color=${color}&sort=price&limit=7`));
  });

  it('the same cursor always gives the same page', async () => {
    const query = `color=${color}&sort=-price&limit=5`;
    const target = `/items?${query}&cursor=${await cursorOf(query)}`;
    const first = cursorPageOf(await admin.get(target)).items;
    expect(cursorPageOf(await admin.get(target)).items).toEqual(first);
  });

  it('a cursor has at most 4096 characters and needs no encoding, also for the longest names', async () => {
    const long = freshColor();
    for (const letter of ['a', 'b']) {
      expectStatus(await admin.post('/items', { name: '\u{1F600}'.repeat(199) + letter, color: long }), 201);
    }
    const query = `color=${long}&sort=name,color,price,created_at,updated_at&limit=1`;
    const cursor = await cursorOf(query);
    expect(cursor.length).toBeLessThanOrEqual(4096);
    expect(cursor).toMatch(/^[\w.~-]+$/);
    expect(await walk(query)).toHaveLength(2);
  });

  it('a cursor of another credential reveals no more than the list itself', async () => {
    const cursor = await cursorOf(`color=${color}&limit=1`);
    expectStatus(await anonymous.get(`/items?color=${color}&limit=1&cursor=${cursor}`), 401);
    const reader = await clientWith('items:read');
    expectStatus(await reader.get(`/items?color=${color}&limit=1&cursor=${cursor}`), 200);
  });
});

describe('§4 The cursor is authenticated: a changed byte is 400', () => {
  it('a byte at any position', async () => {
    const cursor = await cursorOf(`color=${color}&sort=price&limit=2`);
    const forged = Array.from(cursor, (character, i) => {
      const other = BASE_64_URL[(BASE_64_URL.indexOf(character) + 1) % 64] ?? 'A';
      return cursor.slice(0, i) + other + cursor.slice(i + 1);
    });
    const answers = await Promise.all(
      forged.map((one) => admin.get(`/items?color=${color}&sort=price&limit=2&cursor=${encodeURIComponent(one)}`)),
    );
    expect(answers.map((answer) => answer.status)).toEqual(forged.map(() => 400));
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  });

  it('a change of only the unused bits of its last character is refused too', async () => {
    const cursor = await cursorOf(`color=${color}&limit=2`);
    const others = Array.from(BASE_64_URL).filter((character) => !cursor.endsWith(character));
    for (const last of others) await expectRefused(`color=${color}&limit=2&cursor=${cursor.slice(0, -1)}${last}`);
  });

  it.each([
    ['nothing', (): string => ''],
    ['its first half', (cursor: string): string => cursor.slice(0, cursor.length / 2)],
    ['all but its last character', (cursor: string): string => cursor.slice(0, -1)],
    ['one character more', (cursor: string): string => `${cursor}A`],
    ['padding', (cursor: string): string => `${cursor}=`],
    ['a space before it', (cursor: string): string => `%20${cursor}`],
    ['a line end after it', (cursor: string): string => `${cursor}%0A`],
    ['twice the same', (cursor: string): string => cursor + cursor],
    ['NUL', (cursor: string): string => `${cursor}%00`],
    ['text', (): string => 'abc'],
    ['a number', (): string => '1'],
    ['null', (): string => 'null'],
    ['JSON in base64', (): string => Buffer.from('{"id":1,"sort":"price"}').toString('base64url')],
    ['emoji', (): string => '%F0%9F%98%80'],
    ['4096 characters', (): string => 'A'.repeat(4096)],
    ['4097 characters', (): string => 'A'.repeat(4097)],
    ['10000 characters', (): string => 'A'.repeat(10_000)],
  ])('%s', async (_title, spoil) => {
    await expectRefused(`color=${color}&limit=2&cursor=${spoil(await cursorOf(`color=${color}&limit=2`))}`);
  });
});

describe('§4 The cursor is bound to its collection, filter and sort: another one is 400', () => {
  it.each([
    ['no sort', (): string => `color=${color}`],
    ['the other direction', (): string => `color=${color}&sort=-price`],
    ['another sort', (): string => `color=${color}&sort=name`],
    ['one sort key more', (): string => `color=${color}&sort=price,name`],
    ['no filter', (): string => 'sort=price'],
    ['another filter', (): string => `color=${freshColor()}&sort=price`],
    ['one colour more', (): string => `color=${color},red&sort=price`],
  ])('%s', async (_title, query) => {
    const cursor = await cursorOf(`color=${color}&sort=price&limit=2`);
    await expectRefused(`${query()}&limit=2&cursor=${cursor}`);
  });

  it('another collection', async () => {
    const items = await cursorOf('limit=1&sort=created_at');
    errorOf(await admin.get(`/api-keys?limit=1&sort=created_at&cursor=${items}`), 400);
    const { next_cursor: keys } = cursorPageOf(await admin.get('/api-keys?limit=1&sort=created_at'));
    await expectRefused(`limit=1&sort=created_at&cursor=${keys ?? 'x'}`);
  });
});
