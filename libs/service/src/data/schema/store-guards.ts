import type { MigrationInterface, QueryRunner } from 'typeorm';

import { Schema } from './schema.js';

/** Collections that are there from before `createCollection` guarded their rows are guarded. See `Schema.guardRows`. */
export class StoreGuards1000000000003 implements MigrationInterface {
  readonly name = 'StoreGuards1000000000003';
  /** One table at a time is locked, for a moment: of two, a writer of both could hold one and wait for the other. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    for (const table of await guardedTables(runner)) await schema.guardRows(table);
  }

  async down(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    for (const table of await guardedTables(runner)) await schema.unguardRows(table);
    if (schema.dialect === 'postgres') await schema.run('DROP FUNCTION IF EXISTS refuse_unstamped_update()');
  }
}

/** Of all collections whose tables are there: of one that was taken out, the clocks may be left. */
export async function guardedTables(runner: QueryRunner): Promise<string[]> {
  const found = (await runner.query('SELECT DISTINCT collection FROM collection_lanes ORDER BY 1')) as {
    readonly collection: string;
  }[];
  const tables: string[] = [];
  for (const { collection } of found) if (await runner.hasTable(collection)) tables.push(collection);
  return tables;
}
