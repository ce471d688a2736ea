import { type CursorPage, ExpiredCursorError } from '@items/conventions';
import type { ListRequest } from '@items/paging';
import type { Database } from '../database/database.js';
import type { DatabaseConfig } from '../database/database-options.js';
import { Idempotency } from '../idempotency/idempotency.js';

import { CollectionService } from '../collections/collection-service.js';
import { sealOf } from '../lists/cursors.js';
import { describeOnBothDatabases, openItems } from '../testing/database.testing.js';
import { type Item, itemCollection } from '../testing/item-collection.testing.js';

const TABLES = ['items', 'items_versions', 'collection_lanes', 'collection_counts', 'settings', 'epoch_ends'];
/** Enough to advance every lane. */
const MANY = 150;

/** One process of a service. */
class Instance {
  private readonly items: CollectionService<never, Item, never>;

  private constructor(readonly database: Database) {
    this.items = new CollectionService(
      database,
      new Idempotency(database),
      { seals: [sealOf('a secret of this test')], ttlMs: 3_600_000 },
      itemCollection,
    ) as never;
  }

  static async start(config: DatabaseConfig): Promise<Instance> {
    return new Instance(await openItems(config));
  }

  async write(count: number, name: string): Promise<void> {
    const input = { name, description: null, color: null, price: null };
    await Promise.all(
      Array.from({ length: count }, () => this.database.transaction((tx) => this.items.insert(tx, input as never))),
    );
  }

  async page(cursor?: string): Promise<{ names: string[]; next: string | undefined }> {
    const request: ListRequest = { style: 'cursor', limit: 2, sort: [], filter: {}, ...(cursor && { cursor }) };
    const { items, next_cursor: next } = (await this.items.list(request, '/items')).body as unknown as CursorPage<
      'items',
      Item
    >;
    return { names: items.map(({ name }) => name), next };
  }
}

describeOnBothDatabases('Cursors after a backup is restored', (under) => {
  const instances: Instance[] = [];
  let running: Instance;

  const start = async (): Promise<Instance> => {
    const instance = await Instance.start(under.config);
    instances.push(instance);
    return instance;
  };
  const run = async (...statements: string[]): Promise<void> => {
    await under.database.transaction(async (tx) => {
      for (const sql of statements) await tx.query(sql);
    });
  };
  const backUp = (): Promise<void> =>
    run(...TABLES.map((table) => `CREATE TABLE backup_${table} AS SELECT * FROM ${table}`));
  const restore = (): Promise<void> =>
    run(...TABLES.flatMap((table) => [`DELETE FROM ${table}`, `INSERT INTO ${table} SELECT * FROM backup_${table}`]));

  beforeEach(async () => {
    running = await start();
    await running.write(5, 'old');
  });
  afterEach(async () => {
    for (const { database } of instances.splice(0)) await database.close();
    await run(...TABLES.map((table) => `DROP TABLE IF EXISTS backup_${table}`), 'DELETE FROM items');
  });

  it('older cursors stay valid and exact, even after further starts', async () => {
    const { next } = await running.page();
    await backUp();
    await running.write(3, 'lost');
    await restore();
    for (let starts = 0; starts < 3; starts += 1) {
      const restored = await start();
      await restored.write(MANY, 'new');
      expect((await restored.page(next)).names).toEqual(['old', 'old']);
      const last = await restored.page((await restored.page(next)).next);
      expect(last).toEqual({ names: ['old'], next: undefined });
    }
  });

  it.each([
    ['by the process that ran before it', false],
    ['by a process that was started after it', true],
  ])('a cursor that was made after the backup is refused: %s', async (_, isRestarted) => {
    await backUp();
    const later = isRestarted ? await start() : running;
    await later.write(3, 'lost');
    const { next } = await later.page();
    await restore();
    for (let starts = 0; starts < 3; starts += 1) {
      const restored = await start();
      await restored.write(MANY, 'new');
      await expect(restored.page(next)).rejects.toBeInstanceOf(ExpiredCursorError);
    }
  });

  it('starts of other instances expire no cursors', async () => {
    const { next: first } = await running.page();
    const other = await start();
    await running.write(MANY, 'new');
    const { next: second } = await running.page();
    await start();
    await other.write(MANY, 'newer');
    for (const instance of instances)
      for (const next of [first, second]) expect((await instance.page(next)).names).toEqual(['old', 'old']);
  });
});
