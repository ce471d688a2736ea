import type { ListFilter } from '@items/paging';

import { describeOnBothDatabases } from '../testing/database.testing.js';
import { itemCollection } from '../testing/item-collection.testing.js';
import { filterWhere } from './filter-conditions.js';
import { Parameters } from './page-statement.js';
import { Deletions } from '../testing/deletions.testing.js';
import { ItemWriters } from '../testing/item-writers.testing.js';
import { Random } from '../testing/random.testing.js';
import { writeAndCrash } from '../testing/writing-process.testing.js';
import { Totals } from './totals.js';

const FILTERS: readonly ListFilter[] = [
  {},
  { color: ['cyan'] },
  { color: ['cyan', 'red', '"quoted"', 'цвет', '🎨', 'gone'] },
  { color: ['nowhere'] },
];

/** Enough for every kind of change to follow every other one. */
const CHANGES = 300;

describeOnBothDatabases('Totals', (under) => {
  /** One statement reads both, so that writers cannot interfere. */
  async function countedAndTrue(filter: ListFilter): Promise<{ counted: number; exact: number }> {
    const { database } = under;
    const params = new Parameters();
    const counted = new Totals('items', itemCollection.countedFilters).expression(database.dialect, filter, params);
    const exact = `SELECT count(*) FROM items WHERE ${filterWhere(database.dialect, filter, params)}`;
    const sql = `SELECT ${counted} AS counted, (${exact}) AS exact`;
    const [row] = await database.query<{ counted: number | string; exact: number | string }>(sql, params.values);
    return { counted: Number(row?.counted), exact: Number(row?.exact) };
  }

  async function expectExact(): Promise<void> {
    for (const filter of FILTERS) {
      const { counted, exact } = await countedAndTrue(filter);
      expect({ filter, total: counted }).toEqual({ filter, total: exact });
    }
  }

  it('are exact at every moment, among rollbacks, savepoints, recolouring and concurrent deletes', async () => {
    const writers = new ItemWriters(under.database, new Random(7), new Deletions(), []);
    await writers.fill();
    let over = false;
    const writing = Promise.all(Array.from({ length: 9 }, () => writers.write(() => over)));
    const changes = (): number => [...writers.done.values()].reduce((sum, count) => sum + count, 0);
    while (changes() < CHANGES) {
      await expectExact();
      await new Promise(setImmediate);
    }
    over = true;
    await writing;
    expect((await countedAndTrue({})).exact).toBeGreaterThan(100);
    await expectExact();
  });

  it('are exact after a crash during a write', async () => {
    const before = (await countedAndTrue({})).exact;
    await writeAndCrash(under.config, 700);
    expect((await countedAndTrue({})).exact).toBeGreaterThan(before);
    await expectExact();
  });
});
