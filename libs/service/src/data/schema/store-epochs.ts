import type { MigrationInterface, QueryRunner } from 'typeorm';

import { Schema } from './schema.js';

export class StoreEpochs1000000000001 implements MigrationInterface {
  readonly name = 'StoreEpochs1000000000001';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    const { int } = schema;
    await schema.run(
      `CREATE TABLE epoch_ends (epoch text NOT NULL, collection text NOT NULL, lane smallint NOT NULL,
        seq ${int} NOT NULL, ended_at ${int} NOT NULL, PRIMARY KEY (epoch, collection, lane))`,
      `CREATE INDEX epoch_ends_by_ended_at ON epoch_ends (ended_at)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await new Schema(runner).run('DROP TABLE epoch_ends', "DELETE FROM settings WHERE name = 'epoch'");
  }
}
