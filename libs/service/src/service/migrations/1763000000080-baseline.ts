import type { QueryRunner } from 'typeorm';

import type { Migration } from '../../data/schema/migration.js';
import { type CollectionSchema, Schema } from '../../data/schema/schema.js';

/**
 * Creates API keys, users and OAuth tables: clients, sessions, grants, authorizations and artifacts. Artifacts are
 * codes, tokens, browser sessions and open interaction pages. Secrets and passwords are stored only as hashes, in
 * separate tables. Old versions of other rows therefore contain none.
 */
export class ServiceBaseline implements Migration {
  readonly name = 'IdentitiesOfUsers1763000000080';
  readonly replaces = [
    'CreateApiKeys1763000000004',
    'CreateUsers1763000000005',
    'OwnApiKeys1763000000006',
    'CreateOauth1763000000020',
    'OneGrantAClient1763000000042',
    'KeysOfApplications1763000000043',
    'KeysEndWithApproval1763000000067',
    'ClientsWithoutASecret1763000000070',
  ];

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    for (const collection of collections(schema)) await schema.createCollection(collection);
    await schema.run(
      'CREATE INDEX api_keys_of_client ON api_keys (client_id)',
      'CREATE INDEX api_keys_versions_by_user_id ON api_keys_versions (user_id, id)',
      ...['created_at', 'last_used_at'].map(
        (column) => `CREATE INDEX api_keys_versions_by_user_id_${column} ON api_keys_versions (user_id, ${column}, id)`,
      ),
      'CREATE UNIQUE INDEX users_username ON users (username)',
      // An identity belongs to one user at most. SPEC §5.5
      'CREATE UNIQUE INDEX users_identity ON users (identity_subject, identity_issuer)',
      // A user approves a client once.
      'CREATE UNIQUE INDEX grants_of_user_and_client ON grants (user_id, client_id)',
      ...secretTables(schema),
      ...oauthTables(schema),
    );
  }
}

function collections({ id, text, int }: Schema): CollectionSchema[] {
  return [
    {
      table: 'api_keys',
      columns: [
        `name ${text} NOT NULL`,
        `scopes ${text} NOT NULL`,
        `expires_at ${int}`,
        `rate_limit ${text}`,
        `last_used_at ${int}`,
        `user_id ${id}`,
        `allowed_origins ${text}`,
        `secrets ${text}`,
        `client_id ${id}`,
      ],
      sortable: [{ column: 'created_at' }, { column: 'last_used_at', nullable: true }],
      filters: ['user_id'],
    },
    {
      table: 'users',
      columns: [
        `username ${text} NOT NULL`,
        `name ${text}`,
        `email ${text}`,
        `role ${text} NOT NULL`,
        'disabled smallint NOT NULL',
        `identity_issuer ${text}`,
        `identity_subject ${text}`,
      ],
      sortable: [{ column: 'username' }, { column: 'created_at' }],
      filters: ['role', 'disabled'],
    },
    {
      table: 'clients',
      columns: [
        `name ${text} NOT NULL`,
        `redirect_uris ${text} NOT NULL`,
        `scopes ${text} NOT NULL`,
        `grant_types ${text} NOT NULL`,
        `token_endpoint_auth_method ${text} NOT NULL DEFAULT 'client_secret_basic'`,
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

function secretTables({ id, int }: Schema): string[] {
  return [
    `CREATE TABLE api_key_secrets (hash text NOT NULL PRIMARY KEY, api_key_id ${id} NOT NULL,
      created_at ${int} NOT NULL, expires_at ${int}, last_used_at ${int})`,
    'CREATE INDEX api_key_secrets_by_api_key_id ON api_key_secrets (api_key_id)',
    `CREATE TABLE client_secrets (hash text NOT NULL PRIMARY KEY, client_id ${id} NOT NULL,
      created_at ${int} NOT NULL, expires_at ${int})`,
    'CREATE INDEX client_secrets_by_client_id ON client_secrets (client_id)',
    `CREATE TABLE user_passwords (user_id ${id} NOT NULL PRIMARY KEY, hash text NOT NULL, version ${int} NOT NULL)`,
  ];
}

function oauthTables({ id, text, int }: Schema): string[] {
  return [
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
  ];
}
