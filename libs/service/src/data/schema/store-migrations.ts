import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';
import { Schema } from './schema.js';

class StoreBaseline implements Migration {
  readonly name = 'OrderedClocks1000000000006';
  readonly replaces = [
    'StoreTables1000000000000',
    'StoreEpochs1000000000001',
    'EventClocks1000000000002',
    'StoreGuards1000000000003',
    'StoreLighterGuards1000000000004',
    'StoreAnnouncedWalks1000000000005',
  ];

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    const { int, dialect } = schema;
    const isSqlite = dialect === 'sqlite';
    await schema.run(
      // See walks-until.ts for `walks_until`, feed/feed-table.ts for `emits`, and feed/README.md for `ordered`, `tick`,
      // `event_seq` and `gaps`.
      `CREATE TABLE collection_lanes (collection text NOT NULL, lane smallint NOT NULL, seq ${int} NOT NULL,
        n ${int} NOT NULL, floor ${int} NOT NULL, checkpoint ${int} NOT NULL, checkpoint_at ${int} NOT NULL,
        emits smallint NOT NULL DEFAULT 0, tick ${int} NOT NULL DEFAULT 0, event_seq ${int} NOT NULL DEFAULT 0,
        gaps ${int} NOT NULL DEFAULT 0, ${isSqlite ? `walks_until ${int} NOT NULL DEFAULT 0, ` : ''}
        ordered smallint NOT NULL DEFAULT 0, PRIMARY KEY (collection, lane))${isSqlite ? '' : ' WITH (fillfactor = 20)'}`,
      // Writes never change columns of an index, so PostgreSQL can update a busy lane without touching one (HOT).
      'CREATE INDEX collection_lanes_that_emit ON collection_lanes (collection, lane) WHERE emits = 1',
      'CREATE INDEX collection_lanes_in_order ON collection_lanes (collection, lane) WHERE ordered = 1',
      `CREATE TABLE collection_counts (collection text NOT NULL, grp text NOT NULL,
        lane smallint NOT NULL, n ${int} NOT NULL, PRIMARY KEY (collection, grp, lane))`,
      'CREATE TABLE settings (name text NOT NULL PRIMARY KEY, value text NOT NULL)',
      `CREATE TABLE idempotency_records (credential_id text NOT NULL, route text NOT NULL,
        key text NOT NULL, fingerprint text NOT NULL, location text NOT NULL, etag text NOT NULL, body text,
        created_at ${int} NOT NULL, PRIMARY KEY (credential_id, route, key))`,
      'CREATE INDEX idempotency_records_by_created_at ON idempotency_records (created_at)',
      `CREATE TABLE epoch_ends (epoch text NOT NULL, collection text NOT NULL, lane smallint NOT NULL,
        seq ${int} NOT NULL, ended_at ${int} NOT NULL, PRIMARY KEY (epoch, collection, lane))`,
      'CREATE INDEX epoch_ends_by_ended_at ON epoch_ends (ended_at)',
    );
  }
}

export const storeMigrations = [StoreBaseline];
