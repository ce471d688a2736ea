import { Schema } from '../../data/schema/schema.js';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['api_keys', 'api_keys_versions'];

/** Stores the application that created a key for its user. Such a key never counts as an administrator's. SPEC §3 */
export class KeysOfApplications1763000000043 implements MigrationInterface {
  readonly name = 'KeysOfApplications1763000000043';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    for (const table of TABLES) await schema.run(`ALTER TABLE ${table} ADD COLUMN client_id ${schema.id}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    // Delete the secrets of keys that applications created: without the column these keys could count as an administrator's.
    await schema.run(
      `DELETE FROM api_key_secrets WHERE api_key_id IN (SELECT id FROM api_keys WHERE client_id IS NOT NULL)`,
    );
    for (const table of TABLES) await schema.run(`ALTER TABLE ${table} DROP COLUMN client_id`);
  }
}
