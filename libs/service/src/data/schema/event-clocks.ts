import type { MigrationInterface, QueryRunner } from 'typeorm';

import { Schema } from './schema.js';

/** Columns of the clocks for events; feed/README.md describes them. `emits` is 0 for a collection without events. */
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
      // The indexed columns never change, so that PostgreSQL can update a busy clock in place (HOT).
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
