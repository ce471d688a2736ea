import type { MigrationInterface, QueryRunner } from 'typeorm';

import { Schema } from './schema.js';

/** API keys with their secrets, settings that the service makes itself, and the record of idempotent requests. */
export class CreateApiKeys1763000000004 implements MigrationInterface {
  readonly name = 'CreateApiKeys1763000000004';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    const { id, text, int } = schema;
    await schema.createCollection({
      table: 'api_keys',
      columns: [
        `name ${text} NOT NULL`,
        `scopes ${text} NOT NULL`,
        `expires_at ${int}`,
        `rate_limit ${text}`,
        `last_used_at ${int}`,
      ],
      sortable: [{ column: 'created_at' }, { column: 'last_used_at', nullable: true }],
      filters: [],
    });
    await schema.run(
      `CREATE TABLE api_key_secrets (hash text NOT NULL PRIMARY KEY, api_key_id ${id} NOT NULL,
        created_at ${int} NOT NULL, expires_at ${int}, last_used_at ${int})`,
      'CREATE INDEX api_key_secrets_by_api_key_id ON api_key_secrets (api_key_id)',
      'CREATE TABLE settings (name text NOT NULL PRIMARY KEY, value text NOT NULL)',
      `CREATE TABLE idempotency_records (credential_id text NOT NULL, route text NOT NULL, key text NOT NULL,
        fingerprint text NOT NULL, location text NOT NULL, etag text NOT NULL, body text, created_at ${int} NOT NULL,
        PRIMARY KEY (credential_id, route, key))`,
      'CREATE INDEX idempotency_records_by_created_at ON idempotency_records (created_at)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    await schema.run('DROP TABLE idempotency_records', 'DROP TABLE settings', 'DROP TABLE api_key_secrets');
    await schema.dropCollection('api_keys');
  }
}
