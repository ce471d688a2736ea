import { ExpiredCursorError } from '@items/conventions';
import type { ListRequest } from '@items/paging';
import { withMovableClock } from '@items/testing';

import { describeOnBothDatabases } from '../testing/database.testing.js';
import type { Values } from '../definition/collection.js';
import { itemCollection } from '../testing/item-collection.testing.js';
import { BackgroundPruning } from './background-pruning.js';
import { RowStore } from './row-store.js';
import { pagesOf } from '../testing/check-walks.testing.js';
import { saveAllVersions } from '../testing/save-all-versions.testing.js';
import { Totals } from '../lists/totals.js';

const TTL_MS = 500;
const RETENTION_MS = 2 * TTL_MS;
const first: ListRequest = { style: 'cursor', limit: 1, sort: [{ field: 'price', descending: false }], filter: {} };

describeOnBothDatabases('Background pruning', (under) => {
  let pruning: BackgroundPruning;
  let items: RowStore;
  let ids: string[];

  beforeEach(async () => {
    const { database } = under;
    items = new RowStore(database, itemCollection, new Totals('items', itemCollection.countedFilters));
    pruning = new BackgroundPruning(database, console, { cursorTtlMs: TTL_MS });
    // Begins a period now, because the previous test used another time.
    await database.transaction((tx) => tx.query('UPDATE collection_lanes SET checkpoint_at = $1', [Date.now()]));
    ids = [];
    for (const price of [10, 20, 30]) ids.push(await insert(price));
  });

  afterEach(async () => {
    await pruning.stop();
    await under.database.transaction(async (tx) => {
      for (const id of ids) await items.remove(tx, (await items.lock(tx, id))!);
    });
  });

  async function insert(price: number): Promise<string> {
    const own = { name: 'n', description: null, color: 'red', price };
    return (await under.database.transaction((tx) => items.insert(tx, own))).id;
  }

  async function change(id: string | undefined, own: Values): Promise<void> {
    await under.database.transaction(async (tx) => items.update(tx, (await items.lock(tx, id!))!, own));
  }

  async function count(sql: string): Promise<number> {
    const [row] = await under.database.query<{ n: number | string }>(`SELECT count(*) AS n FROM ${sql}`);
    return Number(row?.n);
  }

  /** Waits until current versions are pruned: floors rise to the clocks of a period ago. */
  async function outlive(pass: (ms: number) => void): Promise<void> {
    for (let period = 0; period < 2; period++) {
      pass(RETENTION_MS);
      await pruning.runNow();
    }
  }

  it('does not affect a walk within the retention during any changes', async () => {
    await withMovableClock(async (pass) => {
      const serve = pagesOf(under.database);
      let { nextCursor } = await serve(first);
      await change(ids[1], { price: 1 });
      await change(ids[2], { price: 2 });
      const found: (number | null)[] = [];
      while (nextCursor !== undefined) {
        pass(RETENTION_MS / 2);
        await pruning.runNow();
        const page = await serve({ ...first, cursor: nextCursor });
        found.push(...page.items.map((item) => item.price));
        nextCursor = page.nextCursor;
      }
      expect(found).toEqual([0.2, 0.3]);
    });
  });

  it('deletes old versions and zero counters', async () => {
    await withMovableClock(async (pass) => {
      await saveAllVersions(under.database);
      for (const id of ids) await change(id, { color: 'blue' });
      const before = await count('items_versions');
      expect(before).toBeGreaterThanOrEqual(3);
      await pruning.runNow();
      expect(pruning.states.get('items')).toEqual({ kept: before, deleted: 0, prunedAtMs: Date.now() });
      await outlive(pass);
      expect(pruning.states.get('items')).toEqual({ kept: 0, deleted: before, prunedAtMs: Date.now() });
      expect(await count('items_versions')).toBe(0);
      expect(await count('collection_counts WHERE n = 0')).toBe(0);
      expect(await count("items WHERE color = 'blue'")).toBe(3);
    });
  });

  it('skips clocks without tables, and prunes the others if one collection fails', async () => {
    const { database } = under;
    const clock = (collection: string): string => `INSERT INTO collection_lanes
      (collection, lane, seq, n, floor, checkpoint, checkpoint_at) VALUES ('${collection}', 0, 1, 0, 0, 0, 0)`;
    const run = (...statements: string[]): Promise<void> =>
      database.transaction(async (tx) => {
        for (const sql of statements) await tx.query(sql);
      });
    const said: string[] = [];
    const own = new BackgroundPruning(database, { warn: (line) => void said.push(line) }, { cursorTtlMs: TTL_MS });
    try {
      await run(clock('a_dropped_one'));
      await own.runNow();
      expect([said, [...own.states.keys()]]).toEqual([[], ['items']]);
      const { prunedAtMs } = own.states.get('items')!;
      await run(clock('a_damaged_one'), 'CREATE TABLE a_damaged_one_versions (id int)');
      await withMovableClock(async (pass) => {
        pass(1000);
        await own.runNow();
      });
      expect(said).toEqual([expect.stringMatching(/^Could not delete old versions; retrying later: .*lane_to/)]);
      expect(own.states.get('items')!.prunedAtMs).toBeGreaterThan(prunedAtMs);
    } finally {
      await run(
        "DELETE FROM collection_lanes WHERE collection LIKE 'a\\_%' ESCAPE '\\'",
        'DROP TABLE a_damaged_one_versions',
      );
    }
  });

  it('refuses an expired walk, even if its next page would be empty', async () => {
    await withMovableClock(async (pass) => {
      const serve = pagesOf(under.database);
      const { nextCursor } = await serve(first);
      await change(ids[1], { price: 1 });
      await change(ids[2], { price: 2 });
      await outlive(pass);
      await expect(serve({ ...first, cursor: nextCursor! })).rejects.toThrow(ExpiredCursorError);
    });
  });

  it('stops with the service, and continues after a failure of the database', async () => {
    let warnings = 0;
    let warnedTwice: () => void;
    const twice = new Promise<void>((resolve) => (warnedTwice = resolve));
    const warn = (): void => {
      warnings += 1;
      if (warnings === 2) warnedTwice();
    };
    const failing = new BackgroundPruning(
      Object.assign(Object.create(under.database) as typeof under.database, {
        query: () => Promise.reject(new Error('down')),
      }),
      { warn },
      { cursorTtlMs: 1 },
    );
    failing.start();
    await twice;
    await failing.stop();
    const before = warnings;
    await new Promise(setImmediate);
    expect(warnings).toBe(before);
  });
});
