import type { MigrationInterface, QueryRunner } from 'typeorm';

import { Schema } from './schema.js';

/**
 * Creates the tables of the store: clocks and counters of the collections, settings, and records of idempotent
 * requests. Existing tables of older databases stay as they are.
 */
export class StoreTables1000000000000 implements MigrationInterface {
  readonly name = 'StoreTables1000000000000';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    const { int } = schema;
    await schema.run(
      `CREATE TABLE IF NOT EXISTS collection_lanes (collection text NOT NULL, lane smallint NOT NULL,
        seq ${int} NOT NULL, n ${int} NOT NULL, floor ${int} NOT NULL, checkpoint ${int} NOT NULL,
        checkpoint_at ${int} NOT NULL,
        PRIMARY KEY (collection, lane))${schema.dialect === 'postgres' ? ' WITH (fillfactor = 20)' : ''}`,
      `CREATE TABLE IF NOT EXISTS collection_counts (collection text NOT NULL, grp text NOT NULL,
        lane smallint NOT NULL, n ${int} NOT NULL, PRIMARY KEY (collection, grp, lane))`,
      'CREATE TABLE IF NOT EXISTS settings (name text NOT NULL PRIMARY KEY, value text NOT NULL)',
      `CREATE TABLE IF NOT EXISTS idempotency_records (credential_id text NOT NULL, route text NOT NULL,
        key text NOT NULL, fingerprint text NOT NULL, location text NOT NULL, etag text NOT NULL, body text,
        created_at ${int} NOT NULL, PRIMARY KEY (credential_id, route, key))`,
      `CREATE INDEX IF NOT EXISTS idempotency_records_by_created_at ON idempotency_records (created_at)`,
    );
  }

  /**
   * Does nothing while collections exist, because their migrations, which are reverted later, need these tables. This
   * is the order of databases that are older than this migration.
   */
  async down(runner: QueryRunner): Promise<void> {
    const collections = (await runner.query('SELECT 1 FROM collection_lanes LIMIT 1')) as unknown[];
    if (collections.length > 0) return;
    await new Schema(runner).run(
      'DROP TABLE idempotency_records',
      'DROP TABLE settings',
      'DROP TABLE collection_counts',
      'DROP TABLE collection_lanes',
    );
  }
}
