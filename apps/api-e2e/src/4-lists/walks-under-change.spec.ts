import type { Item } from '@items/dtos/contract';
import { freshColor } from '@items/testing';

import { admin } from '../harness/clients.js';
import { createItem, createMany, deleteItem, walk } from '../harness/items.js';
import { offsetPageOf } from '../harness/reading.js';

const SORTS = ['', '&sort=price', '&sort=-price,name', '&sort=name', '&sort=-updated_at', '&sort=color,-price'];

/** Writes of other clients during a walk. @param page number of pages read so far. */
type Disturbance = (items: readonly Item[], page: number, color: string) => Promise<unknown>;

const DISTURBANCES: readonly [title: string, disturb: Disturbance][] = [
  ['insert', (_items, page, color) => createItem({ color, name: `Item ${page}`, price: (page * 13) % 50 })],
  [
    'reprice',
    (items, page) =>
      Promise.all(
        items
          .filter((_, i) => i % 3 === page % 3)
          .map(({ id, name, color }) => admin.put(`/items/${id}`, { name, color, price: (page * 17) % 50 })),
      ),
  ],
  [
    'rename and recolour',
    (items, page) =>
      Promise.all(
        items
          .filter((_, i) => i % 4 === page % 4)
          .map(({ id }, i) => admin.put(`/items/${id}`, { name: `Zz ${i}`, color: `other-${page}`, price: 1 })),
      ),
  ],
];

describe('§4 Cursor paging neither skips nor duplicates rows when data changes during the walk', () => {
  describe.each(DISTURBANCES)('while other clients %s', (_title, disturb) => {
    it.each(SORTS)(
      'each row that matched at the first page is listed once, in order, with its values of that moment %s',
      async (sort) => {
        const color = freshColor();
        const items = await createMany(20, color);
        const before = offsetPageOf(await admin.get(`/items?color=${color}${sort}&per_page=100`)).items;
        const walked = await walk(`color=${color}${sort}&limit=3`, (page) => disturb(items, page, color));
        expect(walked).toEqual(before);
      },
    );
  });

  it.each(SORTS)('rows deleted before their page is served are omitted, the others stay %s', async (sort) => {
    const color = freshColor();
    await createMany(20, color);
    const before = offsetPageOf(await admin.get(`/items?color=${color}${sort}&per_page=100`)).items;
    const gone = [before[0], before[4], before[9], before[10], before[19]].map((item) => item?.id ?? '');
    const walked = await walk(`color=${color}${sort}&limit=3`, async (page) => {
      if (page === 1) await Promise.all(gone.map(deleteItem));
    });
    const [onFirstPage, ...later] = gone;
    expect(walked.map((item) => item.id)).toEqual(
      before.map((item) => item.id).filter((id) => id === onFirstPage || !later.includes(id)),
    );
  });

  it('rows that are deleted after a change are omitted as well', async () => {
    const color = freshColor();
    const ids = (await createMany(9, color)).map((item) => item.id).sort();
    const victim = ids[8] ?? '';
    const walked = await walk(`color=${color}&limit=3`, async (page) => {
      if (page === 1) await admin.put(`/items/${victim}`, { name: 'Changed', color, price: 1 });
      if (page === 2) await deleteItem(victim);
    });
    expect(walked.map((item) => item.id)).not.toContain(victim);
    expect(walked).toHaveLength(8);
  });

  it('a first page during concurrent writes shows one moment', async () => {
    const color = freshColor();
    const items = await createMany(30, color);
    let writing = true;
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let i = writer; writing; i = (i + 1) % items.length) {
        await admin.put(`/items/${items[i]!.id}`, { name: 'Busy', color, price: (i * 7 + writer) % 50 });
      }
    });
    const ids = items.map((item) => item.id).sort();
    for (let round = 0; round < 15; round += 1) {
      const walked = await walk(`color=${color}&sort=${round % 2 === 0 ? 'price' : '-updated_at'}&limit=4`);
      expect(walked.map((item) => item.id).sort()).toEqual(ids);
    }
    writing = false;
    await Promise.all(writers);
  });
});
