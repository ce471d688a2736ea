import { type CollectionLists, Schema } from '../../data/schema/schema.js';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['api_keys', 'api_keys_versions'];
const ADDED = { user_id: 'id', allowed_origins: 'text', secrets: 'text' } as const;

const sortable = [{ column: 'created_at' }, { column: 'last_used_at', nullable: true }];

/** Adds owners, rotated secrets and allowed origins to API keys. */
export class OwnApiKeys1763000000006 implements MigrationInterface {
  readonly name = 'OwnApiKeys1763000000006';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    for (const table of TABLES) {
      for (const [column, type] of Object.entries(ADDED)) {
        await schema.run(`ALTER TABLE ${table} ADD COLUMN ${column} ${schema[type]}`);
      }
      await reindex(schema, { table, sortable, filters: [] }, { table, sortable, filters: ['user_id'] });
    }
    const member = (column: string): string => `"${column}":' || coalesce(CAST(s.${column} AS text), 'null') || '`;
    const shown = ['created_at', 'expires_at', 'last_used_at'].map(member).join(',');
    await schema.rewriteRows(
      'api_keys',
      `UPDATE api_keys SET secrets = (
         SELECT '[' || string_agg('{${shown}}', ',' ORDER BY s.expires_at IS NOT NULL, s.created_at DESC) || ']'
         FROM api_key_secrets s WHERE s.api_key_id = api_keys.id)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    // Delete the secrets of keys with an owner or origins. Without the columns these keys would have more rights.
    await schema.run(
      `DELETE FROM api_key_secrets WHERE api_key_id IN
         (SELECT id FROM api_keys WHERE user_id IS NOT NULL OR allowed_origins IS NOT NULL)`,
    );
    for (const table of TABLES) {
      await reindex(schema, { table, sortable, filters: ['user_id'] }, { table, sortable, filters: [] });
      for (const column of Object.keys(ADDED)) await schema.run(`ALTER TABLE ${table} DROP COLUMN ${column}`);
    }
    await schema.run(`DELETE FROM collection_counts WHERE collection = 'api_keys'`);
  }
}

async function reindex(schema: Schema, from: CollectionLists, to: CollectionLists): Promise<void> {
  await schema.dropListIndexes(from);
  await schema.createListIndexes(to);
}
