import { Schema } from '@items/service/store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates orders, which remain after their user is deleted, and the transitions of each order. */
export class CreateOrders1763000000030 implements MigrationInterface {
  readonly name = 'CreateOrders1763000000030';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    const { id, text, int } = schema;
    await schema.createCollection({
      table: 'orders',
      columns: [`user_id ${id} NOT NULL`, `status ${text} NOT NULL`, `lines ${text} NOT NULL`, `total ${int} NOT NULL`],
      sortable: [{ column: 'created_at' }, { column: 'updated_at' }, { column: 'total', ties: true }],
      parent: 'user_id',
      filters: ['status'],
    });
    await schema.createCollection({
      table: 'transitions',
      columns: [`order_id ${id} NOT NULL`, `from_status ${text} NOT NULL`, `to_status ${text} NOT NULL`],
      sortable: [{ column: 'created_at' }],
      parent: 'order_id',
      filters: [],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    await schema.dropCollection('transitions');
    await schema.dropCollection('orders');
  }
}
