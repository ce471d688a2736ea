import type { MigrationInterface, QueryRunner } from 'typeorm';

import { Schema } from './schema.js';

/** Marks the clocks of collections with events or an audit: their writes have one order across all lanes. */
export class OrderedClocks1000000000006 implements MigrationInterface {
  readonly name = 'OrderedClocks1000000000006';

  async up(runner: QueryRunner): Promise<void> {
    await new Schema(runner).run(
      'ALTER TABLE collection_lanes ADD COLUMN ordered smallint NOT NULL DEFAULT 0',
      'UPDATE collection_lanes SET ordered = emits',
      // The indexed columns never change, so that PostgreSQL can update a busy clock in place (HOT).
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
