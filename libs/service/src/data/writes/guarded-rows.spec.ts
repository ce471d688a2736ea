import { Schema } from '../schema/schema.js';
import type { Database } from '../database/database.js';
import { migratePostgres, postgresSource } from '../postgres/postgres-source.js';
import { migrateSqlite, sqliteWriter } from '../sqlite/sqlite-source.js';
import type { DataSource } from 'typeorm';

import { describeOnBothDatabases, openItems } from '../testing/database.testing.js';
import type { VersionedRow } from '../database/versioned-row.js';
import { CreateItems1000000000001, itemCollection } from '../testing/item-collection.testing.js';
import { RowStore } from './row-store.js';
import { Totals } from '../lists/totals.js';

const REFUSED = 'A row of items was changed without a stamp: use its CollectionService, not SQL.';
const MIGRATIONS = { migrations: [CreateItems1000000000001] };

describeOnBothDatabases('The rows of a collection', (under) => {
  let rows: RowStore;
  let item: VersionedRow;
  const others: Database[] = [];

  beforeEach(async () => {
    const totals = new Totals('items', itemCollection.countedFilters);
    rows = new RowStore(under.database, itemCollection, totals);
    item = await under.database.transaction((tx) =>
      rows.insert(tx, { name: 'mug', description: null, color: 'red', price: 1 }),
    );
  });
  afterAll(() => Promise.all(others.map((database) => database.close())));

  const raw = (sql: string): Promise<unknown> => under.database.transaction((tx) => tx.query(sql));
  const rename = (): Promise<unknown> => raw(`UPDATE items SET name = 'raw' WHERE id = '${item.id}'`);

  const found = async (): Promise<unknown> => (await rows.findAll(under.database, [item.id]))[0];

  /** Opens a connection like the one of migrations. */
  async function withSource<T>(work: (source: DataSource) => Promise<T>): Promise<T> {
    const { config } = under;
    const source = await (config.dialect === 'postgres'
      ? postgresSource(config.url, MIGRATIONS)
      : sqliteWriter(config.file, MIGRATIONS));
    try {
      return await work(source);
    } finally {
      await source.destroy();
    }
  }

  const asMigration = (work: (schema: Schema) => Promise<void>): Promise<void> =>
    withSource(async (source) => {
      const runner = source.createQueryRunner();
      await work(new Schema(runner));
      await runner.release();
    });

  it('cannot be changed by an UPDATE without a new stamp', async () => {
    await expect(rename()).rejects.toHaveProperty('message', REFUSED);
    await expect(raw('UPDATE items SET name = name')).rejects.toHaveProperty('message', REFUSED);
    expect(await found()).toEqual(item);
  });

  it('can be changed by the collection, with or without a new updated_at, and twice in a transaction', async () => {
    const changed = await under.database.transaction(async (tx) => {
      const once = await rows.update(tx, item, { price: 2 }, 'keeping time');
      return rows.update(tx, once, { price: 3 });
    });
    expect(await found()).toEqual(changed);
    expect(changed).toMatchObject({ name: 'mug', price: 3 });
    await under.database.transaction((tx) => rows.remove(tx, changed));
    expect(await found()).toBeUndefined();
  });

  it('can be rewritten by a migration, and are guarded again afterwards', async () => {
    await asMigration((schema) => schema.rewriteRows('items', "UPDATE items SET description = 'rewritten'"));
    expect(await found()).toEqual({ ...item, description: 'rewritten' });
    await expect(rename()).rejects.toHaveProperty('message', REFUSED);
  });

  it('are guarded in a new collection', async () => {
    const table = 'shelves';
    await asMigration((schema) => schema.createCollection({ table, columns: ['n int'], sortable: [], filters: [] }));
    await raw(`INSERT INTO shelves (id, created_at, updated_at, lane, seq, n) VALUES ('${item.id}', 1, 1, 0, 1, 1)`);
    await expect(raw('UPDATE shelves SET n = 2')).rejects.toHaveProperty('message', REFUSED.replace('items', table));
    await raw('UPDATE shelves SET n = 2, seq = 2');
    await asMigration((schema) => schema.dropCollection(table));
  });

  it('have one guard after repeated calls', async () => {
    await asMigration(async (schema) => {
      await schema.guardRows('items');
      await schema.guardRows('items');
      await schema.unguardRows('items');
      await schema.unguardRows('items');
    });
    await rename();
    expect(await found()).toEqual({ ...item, name: 'raw' });
    await asMigration((schema) => schema.guardRows('items'));
    await expect(rename()).rejects.toHaveProperty('message', REFUSED);
  });

  it('get the new form of the guard, for which SQLite copies no pages', async () => {
    if (under.config.dialect !== 'sqlite') return;
    await asMigration((schema) =>
      schema.run(
        'DROP TRIGGER items_stamped',
        `CREATE TRIGGER items_stamped BEFORE UPDATE ON items FOR EACH ROW
          WHEN (NEW.seq = OLD.seq AND NEW.lane = OLD.lane) BEGIN SELECT RAISE(ABORT, 'former'); END`,
      ),
    );
    await expect(rename()).rejects.toHaveProperty('message', 'former');
    await raw("DELETE FROM migrations WHERE name = 'StoreLighterGuards1000000000004'");
    others.push(await openItems(under.config));
    await expect(rename()).rejects.toHaveProperty('message', REFUSED);
    const [guard] = await under.database.query<{ sql: string }>(
      "SELECT sql FROM sqlite_master WHERE name = 'items_stamped'",
    );
    expect(guard?.sql).toContain('RAISE(FAIL');
  });

  it('get guards in an older database, even if clocks of a dropped table remain', async () => {
    await asMigration((schema) => schema.unguardRows('items'));
    if (under.config.dialect === 'postgres') await raw('DROP FUNCTION refuse_unstamped_update()');
    await raw(`INSERT INTO collection_lanes (collection, lane, seq, n, floor, checkpoint, checkpoint_at)
      VALUES ('gone', 0, 1, 0, 0, 0, 0)`);
    await raw("DELETE FROM migrations WHERE name = 'StoreGuards1000000000003'");
    await rename();
    others.push(await openItems(under.config));
    await expect(rename()).rejects.toHaveProperty('message', REFUSED);
  });

  it('lose the guards when the migration is reverted, and get them again', async () => {
    // The previous test has made it the last one.
    await withSource((source) => source.undoLastMigration({ transaction: 'each' }));
    await rename();
    const { config } = under;
    await (config.dialect === 'postgres' ? migratePostgres(config.url, MIGRATIONS) : withSource(migrateSqlite));
    await expect(rename()).rejects.toHaveProperty('message', REFUSED);
  });
});
