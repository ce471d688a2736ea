import { Schema } from '../../data/schema/schema.js';
import type { MigrationInterface, QueryRunner } from 'typeorm';

interface KeyRow {
  readonly id: string;
  readonly user_id: string;
}

const WITHOUT_APPROVAL = `SELECT id, user_id FROM api_keys k WHERE client_id IS NOT NULL AND NOT EXISTS
  (SELECT 1 FROM grants g WHERE g.user_id = k.user_id AND g.client_id = k.client_id) ORDER BY id`;

/**
 * Deletes keys of applications whose approval has ended, with their secrets, and decrements the totals. Such a key cannot
 * have created a webhook. SPEC §5.3
 */
export class KeysEndWithApproval1763000000067 implements MigrationInterface {
  readonly name = 'KeysEndWithApproval1763000000067';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    if (schema.dialect === 'postgres') await schema.run('LOCK TABLE grants, api_keys IN SHARE ROW EXCLUSIVE MODE');
    for (const key of (await runner.query(WITHOUT_APPROVAL)) as KeyRow[]) await schema.run(...deleted(key));
    await schema.run('CREATE INDEX api_keys_of_client ON api_keys (client_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await new Schema(runner).run('DROP INDEX api_keys_of_client');
  }
}

function deleted({ id, user_id: userId }: KeyRow): string[] {
  const oneLess = (table: string, condition: string): string => `UPDATE ${table} SET n = n - 1
    WHERE collection = 'api_keys' AND ${condition} AND lane = (SELECT min(lane) FROM ${table}
      WHERE collection = 'api_keys' AND ${condition})`;
  return [
    `DELETE FROM api_key_secrets WHERE api_key_id = '${id}'`,
    `DELETE FROM api_keys_versions WHERE id = '${id}'`,
    `DELETE FROM api_keys WHERE id = '${id}'`,
    oneLess('collection_lanes', '1 = 1'),
    oneLess('collection_counts', `grp = '[["user_id"],["${userId}"]]'`),
  ];
}
