import type { MigrationInterface, QueryRunner } from 'typeorm';

import { Schema } from './schema.js';
import { guardedTables } from './store-guards.js';

/** The guards of SQLite are made anew, in the form that costs an update nothing. See `Schema.guardRows`. */
export class StoreLighterGuards1000000000004 implements MigrationInterface {
  readonly name = 'StoreLighterGuards1000000000004';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    if (schema.dialect !== 'sqlite') return;
    for (const table of await guardedTables(runner)) await schema.rewriteRows(table);
  }

  /** What they refuse has not changed. */
  async down(): Promise<void> {}
}
