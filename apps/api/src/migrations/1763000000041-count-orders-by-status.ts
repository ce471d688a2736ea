import { Schema } from '@items/service/store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores the number of orders per status. From then on each write updates it. */
export class CountOrdersByStatus1763000000041 implements MigrationInterface {
  readonly name = 'CountOrdersByStatus1763000000041';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    await schema.run(
      ...(schema.dialect === 'postgres' ? ['LOCK TABLE orders IN SHARE ROW EXCLUSIVE MODE'] : []),
      `INSERT INTO collection_counts (collection, grp, lane, n)
       SELECT 'orders', '[["status"],["' || status || '"]]', 0, count(*) FROM orders GROUP BY status`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await new Schema(runner).run(
      `DELETE FROM collection_counts WHERE collection = 'orders' AND grp LIKE '[["status"],%'`,
    );
  }
}
