import type { MigrationInterface, QueryRunner } from 'typeorm';

import { Schema, type CollectionLists } from './schema.js';

const TABLES = ['api_keys', 'api_keys_versions'];
const ADDED = { user_id: 'id', allowed_origins: 'text', secrets: 'text' } as const;

const sortable = [{ column: 'created_at' }, { column: 'last_used_at', nullable: true }];

/** API keys belong to users, have secrets that take turns, and may be bound to origins. */
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
    await schema.run(
      `UPDATE api_keys SET secrets = (SELECT '[{"created_at":' || s.created_at || ',"expires_at":null,"last_used_at":'
         || coalesce(CAST(s.last_used_at AS text), 'null') || '}]' FROM api_key_secrets s WHERE s.api_key_id = api_keys.id)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
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
