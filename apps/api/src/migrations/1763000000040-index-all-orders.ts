import { type CollectionLists, Schema } from '@items/service/store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists of all orders. The lists of one user have indexes that begin with the user. */
const allOrders: CollectionLists = {
  table: 'orders',
  sortable: [{ column: 'created_at' }, { column: 'updated_at' }, { column: 'total', ties: true }],
  filters: ['status'],
};

/** Replaced rows. Filters need no index here, as in other collections. */
const versions: CollectionLists = {
  table: 'orders_versions',
  sortable: [{ column: 'created_at' }, { column: 'updated_at' }, { column: 'total' }],
  filters: [],
  named: 'orders_versions_by_all',
};

/** Adds the indexes for the list of all orders without blocking writes. */
export class IndexAllOrders1763000000040 implements MigrationInterface {
  readonly name = 'IndexAllOrders1763000000040';
  /** PostgreSQL cannot create an index concurrently in a transaction. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    await schema.addListIndexes(allOrders);
    await schema.addListIndexes(versions);
  }

  async down(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    await schema.dropListIndexes(versions);
    await schema.dropListIndexes(allOrders);
  }
}
