import { Schema } from '../schema/schema.js';
import { postgresSource } from '../postgres/postgres-source.js';
import { sqliteWriter } from '../sqlite/sqlite-source.js';
import type { DataSource } from 'typeorm';

import { describeOnBothDatabases } from '../testing/database.testing.js';
import type { VersionedRow } from '../database/versioned-row.js';
import { CreateItems1700000000001, itemCollection } from '../testing/item-collection.testing.js';
import { RowStore } from './row-store.js';
import { Totals } from '../lists/totals.js';

const REFUSED = 'A row of items was changed without a stamp: use its CollectionService, not SQL.';
const MIGRATIONS = { migrations: [CreateItems1700000000001] };

describeOnBothDatabases('The rows of a collection', (under) => {
  let rows: RowStore;
  let item: VersionedRow;

  beforeEach(async () => {
    const totals = new Totals('items', itemCollection.countedFilters);
    rows = new RowStore(under.database, itemCollection, totals);
    item = await under.database.transaction((tx) =>
      rows.insert(tx, { name: 'mug', description: null, color: 'red', price: 1 }),
    );
  });

  const raw = (sql: string): Promise<unknown> => under.database.transaction((tx) => tx.query(sql));
  const rename = (): Promise<unknown> => raw(`UPDATE items SET name = 'raw' WHERE id = '${item.id}'`);

  const found = async (): Promise<unknown> => (await rows.findAll(under.database, [item.id]))[0];

  /** Opens a connection like the one of migrations. */
  async function asMigration(work: (schema: Schema) => Promise<void>): Promise<void> {
    const { config } = under;
    const source: DataSource = await (config.dialect === 'postgres'
      ? postgresSource(config.url, MIGRATIONS)
      : sqliteWriter(config.file, MIGRATIONS));
    const runner = source.createQueryRunner();
    try {
      await work(new Schema(runner));
    } finally {
      await runner.release();
      await source.destroy();
    }
  }

  it('cannot be changed by an UPDATE without a new stamp', async () => {
    await expect(rename()).rejects.toHaveProperty('message', REFUSED);
    await expect(raw('UPDATE items SET name = name')).rejects.toHaveProperty('message', REFUSED);
    expect(await found()).toEqual(item);
  });

  it('can be changed by the collection, with or without a new updated_at, and twice in a transaction', async () => {
    const changed = await under.database.transaction(async (tx) => {
      const once = await rows.update(tx, item, { price: 2 }, 'quiet');
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
});
