import type { MigrationInterface, QueryRunner } from 'typeorm';

import { walksOfFormerInstances } from './announced-walks.js';
import { Schema } from './schema.js';

/** Adds the column of the latest announced walk on SQLite. See `announced-walks.ts`. */
export class StoreAnnouncedWalks1000000000005 implements MigrationInterface {
  readonly name = 'StoreAnnouncedWalks1000000000005';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    if (schema.dialect !== 'sqlite') return;
    await schema.run(
      `ALTER TABLE collection_lanes ADD COLUMN walks_until ${schema.int} NOT NULL DEFAULT 0`,
      walksOfFormerInstances(),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    if (schema.dialect !== 'sqlite') return;
    await schema.run('ALTER TABLE collection_lanes DROP COLUMN walks_until');
  }
}
