import { admin } from '../harness/clients.js';
import { expectStatus } from '../harness/reading.js';
import type { CollectionUnderTest, Member } from './collection-under-test.js';

/** §4: the promise of cursor walks, while other clients write. */
export function walkRules(collection: CollectionUnderTest): void {
  const sorts = ['', ...collection.spec.sortable.map((field, index) => `sort=${index % 2 === 0 ? '' : '-'}${field}&`)];

  describe('§4 Cursor paging neither skips nor duplicates rows when data changes during the walk', () => {
    it.each(sorts)('each row once, in order, with the values of that moment ?%s', async (sort) => {
      await collection.with(11, async ({ query, members }) => {
        const asked = `${query}${sort}`;
        const before = await collection.walk(`${asked}limit=100`);
        const made: Member[] = [];
        const walked = await collection.walk(`${asked}limit=3`, async (page) => {
          const changed = members.filter((_, index) => index % 3 === page % 3);
          await Promise.all(
            changed.map((member, index) => admin.put(collection.target(member), collection.body(page + index))),
          );
          made.push(await collection.create(page));
        });
        expect(walked).toEqual(before);
        await Promise.all(made.map((member) => admin.delete(collection.target(member))));
      });
    });

    it('rows deleted before their page is served are omitted, the others stay', async () => {
      await collection.with(9, async ({ query }) => {
        const before = await collection.walk(`${query}limit=100`);
        const gone = before.at(-2)!;
        const walked = await collection.walk(`${query}limit=3`, async (page) => {
          if (page === 1) expectStatus(await admin.delete(collection.target(gone)), 204);
        });
        expect(walked).toEqual(before.filter(({ id }) => id !== gone.id));
      });
    });
  });
}
