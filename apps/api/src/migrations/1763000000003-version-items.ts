import { Schema } from '@items/service/store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

import { itemLists } from './1763000000002-index-items.js';

/**
 * Adds versions for exact cursor walks, and stored totals; see libs/service/src/data/lists/README.md. Existing rows get
 * the first position.
 */
export class VersionItems1763000000003 implements MigrationInterface {
  readonly name = 'VersionItems1763000000003';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    const { text, int, stampColumns } = schema;
    const items = {
      ...itemLists,
      columns: [`name ${text} NOT NULL`, `description ${text}`, `color ${text}`, `price ${int}`],
    };
    await schema.run(
      ...(schema.dialect === 'postgres' ? ['LOCK TABLE items IN SHARE ROW EXCLUSIVE MODE'] : []),
      // A constant default rewrites no row.
      ...stampColumns.map((column) => `ALTER TABLE items ADD COLUMN ${column} DEFAULT 0`),
      // Without the default, the previous version of the service fails instead of writing unstamped rows.
      ...(schema.dialect === 'postgres'
        ? ['ALTER TABLE items ALTER COLUMN lane DROP DEFAULT', 'ALTER TABLE items ALTER COLUMN seq DROP DEFAULT']
        : []),
    );
    await schema.createVersions(items);
    const greatest = schema.dialect === 'postgres' ? 'greatest' : 'max';
    await schema.createLanes(
      'items',
      '(SELECT count(*) FROM items)',
      `(SELECT 1 + 1000 * coalesce(${greatest}(max(created_at), max(updated_at)), 0) FROM items)`,
    );
    const group =
      schema.dialect === 'postgres'
        ? `'[["color"],[' || to_json(color)::text || ']]'`
        : `'[["color"],[' || json_quote(color) || ']]'`;
    await schema.run(
      `INSERT INTO collection_counts (collection, grp, lane, n)
       SELECT 'items', ${group}, 0, count(*) FROM items WHERE color IS NOT NULL GROUP BY color`,
    );
    await schema.guardRows('items');
  }

  async down(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    // The guard uses columns that are dropped below.
    await schema.unguardRows('items');
    await schema.run(
      'DROP TABLE items_versions',
      "DELETE FROM collection_lanes WHERE collection = 'items'",
      "DELETE FROM collection_counts WHERE collection = 'items'",
      'ALTER TABLE items DROP COLUMN lane',
      'ALTER TABLE items DROP COLUMN seq',
    );
  }
}
