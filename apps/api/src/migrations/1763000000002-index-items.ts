import { type CollectionLists, Schema } from '@items/service/store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sort orders and filters of items in this version of the schema. */
export const itemLists: CollectionLists = {
  table: 'items',
  sortable: [
    { column: 'name' },
    { column: 'color', nullable: true, ties: true },
    { column: 'price', nullable: true, ties: true },
    { column: 'created_at' },
    { column: 'updated_at' },
  ],
  filters: ['color'],
};

/** Adds the indexes of item lists without blocking writes. */
export class IndexItems1763000000002 implements MigrationInterface {
  readonly name = 'IndexItems1763000000002';
  /** PostgreSQL cannot create an index concurrently in a transaction. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await new Schema(runner).addListIndexes(itemLists);
  }

  async down(runner: QueryRunner): Promise<void> {
    await new Schema(runner).dropListIndexes(itemLists);
  }
}
