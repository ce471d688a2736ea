import { admin } from '../harness/clients.js';
import { linksOf } from '../harness/link.js';
import { errorOf, fieldsOf } from '../harness/reading.js';
import type { CollectionUnderTest } from './collection-under-test.js';
import { sortedMembers } from './sorted-members.js';

/** §4 Lists, without concurrent writes. */
export function listRules(collection: CollectionUnderTest): void {
  const sorts = ['', ...collection.spec.sortable.flatMap((field) => [field, `-${field}`])];

  it.each(sorts)('§4 sort=%s: nulls last either way, the id breaks ties, in both styles', async (sort) => {
    await collection.with(13, async ({ query, members }) => {
      const asked = `${query}${sort === '' ? '' : `sort=${sort}&`}`;
      const ids = new Set(members.map(({ id }) => id));
      const own = (rows: readonly { id: string }[]): unknown[] => rows.filter(({ id }) => ids.has(id));
      const expected = sortedMembers(members, sort);
      expect(own(await collection.walk(`${asked}limit=5`))).toEqual(expected);
      const pages = Math.ceil((await collection.total(asked)) / 5);
      const numbers = Array.from({ length: pages }, (_, index) => index + 1);
      const rows = await Promise.all(numbers.map((page) => collection.page(`${asked}per_page=5&page=${page}`)));
      expect(own(rows.flatMap((page) => collection.rows(page)))).toEqual(expected);
    });
  });

  it('§4 total is exact after every change', async () => {
    await collection.with(4, async ({ query, members }) => {
      const before = await collection.total(query);
      await admin.delete(collection.target(members[0]!));
      await admin.put(collection.target(members[1]!), collection.body(1));
      expect(await collection.total(query)).toBe(before - (query === '' ? 1 : 2));
    });
  });

  it('§4 A page past the end: 200, empty, the true total; more than 100 a page is served as 100', async () => {
    const page = await collection.page('page=9007199254740991&per_page=101');
    expect(page).toMatchObject({ [collection.name]: [], per_page: 100, total: expect.any(Number) });
  });

  it('§4 Lists carry a Link header and no ETag', async () => {
    await collection.with(3, async ({ query }) => {
      const answer = await admin.get(`${collection.path}?${query}per_page=2`);
      expect(answer.header('etag')).toBeUndefined();
      const { next, last } = linksOf(answer);
      expect(collection.rows((await admin.get(next ?? '')).json() as never)).not.toEqual([]);
      expect(last).toContain(collection.path);
    });
  });

  for (const field of collection.spec.filters)
    it(`§4 ${field} filters exactly`, async () => {
      await collection.with(6, async ({ query, members }) => {
        for (const value of new Set(members.map((member) => member[field]))) {
          if (value === null) continue;
          const asked = query.startsWith(`${field}=`)
            ? query
            : `${query}${field}=${encodeURIComponent(value as string | boolean)}&`;
          const listed = await collection.walk(`${asked}limit=100`);
          expect(listed.every((row) => row[field] === value)).toBe(true);
          const ids = listed.map(({ id }) => id);
          expect(ids).toEqual(
            expect.arrayContaining(members.filter((row) => row[field] === value).map(({ id }) => id)),
          );
          expect(await collection.total(asked)).toBe(listed.length);
        }
      });
    });

  it.each([
    ['unknown=1', 'unknown'],
    ['sort=unknown', 'sort'],
    ['sort=id', 'sort'],
    ['page=0', 'page'],
    ['limit=x', 'limit'],
    ['page=1&page=1', 'page'],
  ])('§4 ?%s is 400, naming it', async (query, parameter) => {
    expect(fieldsOf(errorOf(await admin.get(`${collection.path}?${query}`), 400))).toEqual([parameter]);
  });

  it('§4 mixed styles are 400, and so is a changed cursor, or a cursor of another sort', async () => {
    await collection.with(2, async ({ query }) => {
      errorOf(await admin.get(`${collection.path}?page=1&limit=1`), 400);
      const { next_cursor: cursor = '' } = await collection.page(`${query}limit=1`);
      errorOf(await admin.get(`${collection.path}?${query}limit=1&cursor=${cursor}A`), 400);
      errorOf(await admin.get(`${collection.path}?${query}limit=1&sort=-created_at&cursor=${cursor}`), 400);
    });
  });
}
