import { MAX_CURSOR_LENGTH, MAX_PAGE_BYTES } from '@items/conventions';
import { JsonPieces } from './json-pieces.js';
import { Filterable, Money, Optional, Sortable, Text } from '@items/fields';
import type { SortKey } from '@items/paging';
import { Idempotency } from '../idempotency/idempotency.js';

import { CollectionService } from '../collections/collection-service.js';
import type { Precondition } from '../collections/write-options.js';
import { sealOf } from './cursors.js';
import { defineCollection, type Member } from '../definition/define-collection.js';
import { describeOnBothDatabases } from '../testing/database.testing.js';

class NoteDto {
  @Sortable()
  @Text({ max: 200 })
  name!: string;

  @Optional()
  @Text({ max: 400_000 })
  description!: string | null;

  @Sortable()
  @Filterable()
  @Optional()
  @Text({ max: 30 })
  color!: string | null;

  @Sortable()
  @Optional()
  @Money()
  price!: number | null;
}
type Note = Member<NoteDto>;

const ALWAYS: Precondition = () => undefined;

const noteCollection = defineCollection({ name: 'items', singular: 'note', dto: NoteDto });

/** Lengths of texts, made of characters that take 1, 2, 4 (for two characters) and 6 bytes in JSON. */
const TEXTS = ['a', 'é', '😀', '\u0001'].flatMap((character) =>
  [3, 20_000, 120_000].map((length) => character.repeat(length / character.length)),
);
const LONGER_THAN_A_PAGE = '\u0001'.repeat(200_000);

/** Number of long members that one read returns: 2, and one that shows whether more follow. */
const MAX_ROWS_PER_READ = 6;

const SORTS: readonly (readonly SortKey[])[] = [
  [],
  [
    { field: 'price', descending: true },
    { field: 'name', descending: false },
  ],
];

interface Page {
  readonly items: readonly Note[];
  readonly limit: number;
  readonly next_cursor?: string;
  readonly bytes: number;
}

describeOnBothDatabases('A page of large members (SPEC §4.1)', (under) => {
  let notes: CollectionService<Note, NoteDto>;
  const made: Note[] = [];

  beforeAll(async () => {
    const policy = { seals: [sealOf('a secret of this test')], ttlMs: 60_000 };
    notes = new CollectionService(under.database, new Idempotency(under.database), policy, noteCollection);
    const texts = [...TEXTS, LONGER_THAN_A_PAGE, ...TEXTS.toReversed(), ...Array.from({ length: 30 }, () => 'small')];
    for (const [index, description] of texts.entries()) {
      const name = `note ${String(100 - index)}`;
      made.push((await notes.create({ name, description, color: 'red', price: index % 4 }, '/items')).resource);
    }
  });

  async function walk(limit: number, sort: readonly SortKey[], between?: () => Promise<unknown>): Promise<Page[]> {
    const pages: Page[] = [];
    let cursor: string | undefined;
    do {
      const request = { style: 'cursor', limit, sort, filter: {}, ...(cursor !== undefined && { cursor }) } as const;
      const { json, body } = await notes.list(request, '/items');
      const page = JSON.parse(String(json)) as Page;
      expect(body).toEqual(page);
      pages.push({ ...page, bytes: Buffer.byteLength(String(json)) });
      cursor = page.next_cursor;
      await between?.();
    } while (cursor !== undefined);
    return pages;
  }

  it.each([3, 100])('ends before 1 MiB, and a walk returns each member once: limit=%d', async (limit) => {
    for (const sort of SORTS) {
      const pages = await walk(limit, sort);
      const listed = pages.flatMap(({ items }) => items);
      expect(listed.map(({ id }) => id).sort()).toEqual(made.map(({ id }) => id).sort());
      if (sort.length === 0) expect(listed).toEqual(made);
      expect(pages.filter((page) => page.limit !== limit || page.items.length > limit)).toEqual([]);
      const long = pages.filter(({ bytes }) => bytes >= MAX_PAGE_BYTES);
      expect(long.map(({ items }) => items.map(({ description }) => description))).toEqual([[LONGER_THAN_A_PAGE]]);
    }
  });

  it('has as many members as fit', async () => {
    const pages = await walk(100, []);
    const spare = pages.slice(0, -1).map(({ bytes }, index) => {
      const [next] = pages[index + 1]?.items ?? [];
      return MAX_PAGE_BYTES - bytes - Buffer.byteLength(JSON.stringify(next));
    });
    expect(spare.filter((bytes) => bytes > MAX_CURSOR_LENGTH)).toEqual([]);
    expect(pages.at(-1)?.items.length).toBeGreaterThan(20);
  });

  it('shows the state at the start of its walk, after any changes between two pages', async () => {
    const before = [...made];
    const pages = await walk(20, [], async () => {
      for (const { id } of made.slice(0, 3).concat(made.slice(-3))) {
        await notes.replace(id, { name: 'changed', description: null, color: null, price: null }, ALWAYS);
      }
      await notes.create({ name: 'late', description: null, color: null, price: null }, '/items');
    });
    expect(pages.flatMap(({ items }) => items)).toEqual(before);
  });

  it('never has all rows in memory at the same time', async () => {
    const read = jest.spyOn(under.database, 'readValues');
    await walk(100, []);
    const rows = await Promise.all(read.mock.results.map(({ value }) => value as Promise<readonly unknown[]>));
    const calls = read.mock.calls.length;
    read.mockRestore();
    const largestRead = under.database.dialect === 'sqlite' ? Math.max(...rows.map(({ length }) => length)) : 0;
    expect(largestRead).toBeLessThanOrEqual(MAX_ROWS_PER_READ);
    expect(calls).toBeGreaterThan(10);
  });

  it('has all its members in offset style, and is sent in pieces', async () => {
    const { json, body } = await notes.list({ style: 'offset', page: 1, perPage: 100, sort: [], filter: {} }, '/items');
    expect(json).toBeInstanceOf(JsonPieces);
    const pieces = [...(json as JsonPieces).pieces];
    expect(JSON.parse(pieces.join(''))).toEqual(body);
    expect(pieces.length).toBeGreaterThan(7);
    // The longest member follows a piece that was not full yet.
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(1_400_000);
  });

  it('is one text in offset style if it is short', async () => {
    const { json } = await notes.list({ style: 'offset', page: 1, perPage: 1, sort: [], filter: {} }, '/items');
    expect(typeof json).toBe('string');
  });
});
