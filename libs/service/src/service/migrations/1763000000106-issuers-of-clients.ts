import { Schema } from '../../data/schema/schema.js';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores the issuer whose token created a client. The client has no rights while that issuer is not configured. SPEC §5.5
 */
export class IssuersOfClients1763000000106 implements MigrationInterface {
  readonly name = 'IssuersOfClients1763000000106';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    await schema.addColumns('clients', `issuer ${schema.text}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await new Schema(runner).dropColumns('clients', 'issuer');
  }
}
