import { type CollectionLists, Schema } from '@items/service/store';
import type { QueryRunner } from 'typeorm';

const sortable = [{ column: 'created_at' }, { column: 'updated_at' }, { column: 'total', ties: true }];
/** Lists of the orders of all users. Their indexes do not begin with the user. */
const allOrders: CollectionLists = { table: 'orders', sortable, filters: ['status'] };
/** Lists of replaced row versions. A page reads few of them, so filters need no index. */
const allVersions: CollectionLists = {
  table: 'orders_versions',
  sortable: sortable.map(({ column }) => ({ column })),
  filters: [],
  named: 'orders_versions_by_all',
};

/**
 * Creates orders, which remain after their user is deleted, and the transitions of each order. Exists only for databases
 * from before 1.0, which have run a migration of this name. A new collection needs a migration only if
 * `defineCollection` defines it.
 */
export class OrdersBaseline {
  readonly name = 'CountOrdersByStatus1763000000041';
  readonly replaces = ['CreateOrders1763000000030', 'IndexAllOrders1763000000040'];

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    const { id, text, int } = schema;
    await schema.createCollection({
      table: 'orders',
      columns: [`user_id ${id} NOT NULL`, `status ${text} NOT NULL`, `lines ${text} NOT NULL`, `total ${int} NOT NULL`],
      sortable,
      parent: 'user_id',
      filters: ['status'],
    });
    await schema.createListIndexes(allOrders);
    await schema.createListIndexes(allVersions);
    await schema.createCollection({
      table: 'transitions',
      columns: [`order_id ${id} NOT NULL`, `from_status ${text} NOT NULL`, `to_status ${text} NOT NULL`],
      sortable: [{ column: 'created_at' }],
      parent: 'order_id',
      filters: [],
    });
  }
}
