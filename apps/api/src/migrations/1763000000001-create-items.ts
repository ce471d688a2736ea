import { Schema } from '@items/service/store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateItems1763000000001 implements MigrationInterface {
  readonly name = 'CreateItems1763000000001';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    const { text, int, rowColumns } = schema;
    const columns = [`name ${text} NOT NULL`, `description ${text}`, `color ${text}`, `price ${int}`];
    await schema.run(`CREATE TABLE items (${[...rowColumns, ...columns].join(', ')}, PRIMARY KEY (id))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await new Schema(runner).run('DROP TABLE items');
  }
}
