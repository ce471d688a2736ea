import { Schema } from '../../data/schema/schema.js';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['clients', 'clients_versions'];
const PUBLIC = `SELECT CAST(id AS text) FROM clients WHERE token_endpoint_auth_method = 'none'`;

/** Stores how a client authenticates at the token endpoint. All existing clients have a secret. SPEC §5.5 */
export class ClientsWithoutASecret1763000000070 implements MigrationInterface {
  readonly name = 'ClientsWithoutASecret1763000000070';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    for (const table of TABLES) {
      await schema.run(
        `ALTER TABLE ${table} ADD COLUMN token_endpoint_auth_method ${schema.text} NOT NULL DEFAULT 'client_secret_basic'`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    // Delete tokens of clients without a secret: the previous version would assume that the secret was lost.
    await schema.run(
      `DELETE FROM oauth_artifacts WHERE client_id IN (${PUBLIC})`,
      `DELETE FROM oauth_authorizations WHERE client_id IN (${PUBLIC})`,
    );
    for (const table of TABLES) await schema.run(`ALTER TABLE ${table} DROP COLUMN token_endpoint_auth_method`);
  }
}
