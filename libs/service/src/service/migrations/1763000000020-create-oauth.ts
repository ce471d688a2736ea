import { type CollectionSchema, Schema } from '../../data/schema/schema.js';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates OAuth tables: clients with their secrets, logins, approvals and artifacts. Artifacts are codes, tokens, browser
 * sessions and open interaction pages. Their identifiers are stored as SHA-256 only.
 */
export class CreateOauth1763000000020 implements MigrationInterface {
  readonly name = 'CreateOauth1763000000020';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    const { id, text, int } = schema;
    for (const collection of collections(schema)) await schema.createCollection(collection);
    await schema.run(
      `CREATE TABLE client_secrets (hash text NOT NULL PRIMARY KEY, client_id ${id} NOT NULL,
        created_at ${int} NOT NULL, expires_at ${int})`,
      'CREATE INDEX client_secrets_by_client_id ON client_secrets (client_id)',
      `CREATE TABLE oauth_authorizations (id ${id} NOT NULL PRIMARY KEY, user_id ${id} NOT NULL,
        client_id ${text} NOT NULL, grant_id ${id}, credentials_version ${int} NOT NULL, payload text NOT NULL,
        expires_at ${int} NOT NULL)`,
      ...['user_id', 'client_id', 'grant_id', 'expires_at'].map(
        (column) => `CREATE INDEX oauth_authorizations_by_${column} ON oauth_authorizations (${column})`,
      ),
      `CREATE TABLE oauth_artifacts (hash text NOT NULL PRIMARY KEY, model text NOT NULL, authorization_id ${id},
        client_id ${text}, user_id ${id}, credentials_version ${int}, uid_hash text, payload text NOT NULL,
        consumed_at ${int}, expires_at ${int} NOT NULL)`,
      ...['authorization_id', 'client_id', 'user_id', 'uid_hash', 'expires_at'].map(
        (column) => `CREATE INDEX oauth_artifacts_by_${column} ON oauth_artifacts (${column})`,
      ),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    await schema.run('DROP TABLE oauth_artifacts', 'DROP TABLE oauth_authorizations', 'DROP TABLE client_secrets');
    for (const { table } of collections(schema)) await schema.dropCollection(table);
  }
}

function collections({ id, text, int }: Schema): CollectionSchema[] {
  return [
    {
      table: 'clients',
      columns: [
        `name ${text} NOT NULL`,
        `redirect_uris ${text} NOT NULL`,
        `scopes ${text} NOT NULL`,
        `grant_types ${text} NOT NULL`,
      ],
      sortable: [{ column: 'name' }, { column: 'created_at' }, { column: 'updated_at' }],
      filters: [],
    },
    {
      table: 'sessions',
      columns: [
        `user_id ${id} NOT NULL`,
        `scope ${text} NOT NULL`,
        `last_used_at ${int}`,
        `expires_at ${int} NOT NULL`,
      ],
      sortable: [{ column: 'created_at' }, { column: 'last_used_at', nullable: true }],
      filters: ['user_id'],
    },
    {
      table: 'grants',
      columns: [
        `user_id ${id} NOT NULL`,
        `client_id ${id} NOT NULL`,
        `client_name ${text} NOT NULL`,
        `scopes ${text} NOT NULL`,
      ],
      sortable: [{ column: 'created_at' }],
      filters: ['user_id', 'client_id'],
    },
  ];
}
