import { type CollectionSchema, Schema } from '@items/service/store';
import type { QueryRunner } from 'typeorm';

/**
 * Creates the table of items. Exists only for databases from before 1.0, which have run a migration of this name. A new
 * collection needs no migration.
 */
export class ItemsBaseline {
  readonly name = 'VersionItems1763000000003';
  readonly replaces = ['CreateItems1763000000001', 'IndexItems1763000000002'];

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    const { text, int, dialect, rowColumns, stampColumns } = schema;
    const items: CollectionSchema = {
      table: 'items',
      columns: [`name ${text} NOT NULL`, `description ${text}`, `color ${text}`, `price ${int}`],
      sortable: [
        { column: 'name' },
        { column: 'color', nullable: true, ties: true },
        { column: 'price', nullable: true, ties: true },
        { column: 'created_at' },
        { column: 'updated_at' },
      ],
      filters: ['color'],
    };
    // Databases of the replaced migrations have this default, which SQLite cannot drop.
    const stamps = dialect === 'sqlite' ? stampColumns.map((column) => `${column} DEFAULT 0`) : stampColumns;
    await schema.run(
      `CREATE TABLE items (${[...rowColumns, ...stamps, ...items.columns].join(', ')}, PRIMARY KEY (id))`,
    );
    await schema.createListIndexes(items);
    await schema.createVersions(items);
    await schema.createLanes('items');
    await schema.guardRows('items');
  }
}
