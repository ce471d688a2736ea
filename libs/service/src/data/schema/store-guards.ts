import type { MigrationInterface, QueryRunner } from 'typeorm';

import { Schema } from './schema.js';

/** Guards the rows of collections that were created without a guard. See `Schema.guardRows`. */
export class StoreGuards1000000000003 implements MigrationInterface {
  readonly name = 'StoreGuards1000000000003';
  /** Locks one table at a time: with two locks, a transaction that writes both tables could deadlock. */
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

/** Lists the tables of all collections. The clocks of a removed collection may remain without a table. */
export async function guardedTables(runner: QueryRunner): Promise<string[]> {
  const found = (await runner.query('SELECT DISTINCT collection FROM collection_lanes ORDER BY 1')) as {
    readonly collection: string;
  }[];
  const tables: string[] = [];
  for (const { collection } of found) if (await runner.hasTable(collection)) tables.push(collection);
  return tables;
}
