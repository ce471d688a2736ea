import { type CollectionLists, Schema } from '@items/service/store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How everybody's orders are listed; one user's are by the indexes that begin with the user. */
const allOrders: CollectionLists = {
  table: 'orders',
  sortable: [{ column: 'created_at' }, { column: 'updated_at' }, { column: 'total', ties: true }],
  filters: ['status'],
};

/** Replaced rows: filters sift, as in those of other collections. */
const versions: CollectionLists = {
  table: 'orders_versions',
  sortable: [{ column: 'created_at' }, { column: 'updated_at' }, { column: 'total' }],
  filters: [],
  named: 'orders_versions_by_all',
};

/** The indexes of the list of everybody's orders, made while the orders are in use. */
export class IndexAllOrders1763000000040 implements MigrationInterface {
  readonly name = 'IndexAllOrders1763000000040';
  /** PostgreSQL makes an index beside its writers only outside of a transaction. */
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
