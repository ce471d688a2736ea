import { Schema } from '../../data/schema/schema.js';
import type { MigrationInterface, QueryRunner } from 'typeorm';

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
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    await schema.run('DROP TABLE api_key_secrets');
    await schema.dropCollection('api_keys');
  }
}
