import type { MigrationInterface, QueryRunner } from 'typeorm';

import { Schema } from './schema.js';

/** Which clocks have one order: those of collections that make events, or are audited. */
export class OrderedClocks1000000000006 implements MigrationInterface {
  readonly name = 'OrderedClocks1000000000006';

  async up(runner: QueryRunner): Promise<void> {
    await new Schema(runner).run(
      'ALTER TABLE collection_lanes ADD COLUMN ordered smallint NOT NULL DEFAULT 0',
      'UPDATE collection_lanes SET ordered = emits',
      // Of no column that a write changes, as that of clocks that emit.
      'CREATE INDEX collection_lanes_in_order ON collection_lanes (collection, lane) WHERE ordered = 1',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await new Schema(runner).run(
      'DROP INDEX collection_lanes_in_order',
      'ALTER TABLE collection_lanes DROP COLUMN ordered',
    );
  }
}
