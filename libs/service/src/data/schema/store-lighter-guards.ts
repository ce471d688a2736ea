import type { MigrationInterface, QueryRunner } from 'typeorm';

import { Schema } from './schema.js';
import { guardedTables } from './store-guards.js';

/** Recreates the guards of SQLite in the form that adds no cost to an update. See `Schema.guardRows`. */
export class StoreLighterGuards1000000000004 implements MigrationInterface {
  readonly name = 'StoreLighterGuards1000000000004';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    if (schema.dialect !== 'sqlite') return;
    for (const table of await guardedTables(runner)) await schema.rewriteRows(table);
  }

  /** Keeps the new guards: they refuse the same updates. */
  async down(): Promise<void> {}
}
