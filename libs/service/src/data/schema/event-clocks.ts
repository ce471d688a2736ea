import type { MigrationInterface, QueryRunner } from 'typeorm';

import { Schema } from './schema.js';

/**
 * What the clocks know of events; events/README.md says how they use it. A clock of a collection that makes
 * no events knows nothing (`emits = 0`).
 */
export class EventClocks1000000000002 implements MigrationInterface {
  readonly name = 'EventClocks1000000000002';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    const add = 'ALTER TABLE collection_lanes ADD COLUMN';
    await schema.run(
      `${add} emits smallint NOT NULL DEFAULT 0`,
      `${add} tick ${schema.int} NOT NULL DEFAULT 0`,
      `${add} event_seq ${schema.int} NOT NULL DEFAULT 0`,
      `${add} gaps ${schema.int} NOT NULL DEFAULT 0`,
      // Of no column that a write changes: the rows of busy clocks stay in place.
      'CREATE INDEX collection_lanes_that_emit ON collection_lanes (collection, lane) WHERE emits = 1',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    const drop = 'ALTER TABLE collection_lanes DROP COLUMN';
    await new Schema(runner).run(
      'DROP INDEX collection_lanes_that_emit',
      ...['gaps', 'event_seq', 'tick', 'emits'].map((column) => `${drop} ${column}`),
    );
  }
}
