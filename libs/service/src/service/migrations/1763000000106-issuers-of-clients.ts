import type { Migration } from '../../data/schema/migration.js';
import { Schema } from '../../data/schema/schema.js';
import type { QueryRunner } from 'typeorm';

/**
 * Stores the issuer whose token created a client. The client has rights only while this issuer is configured. SPEC §5.5
 */
export class IssuersOfClients1763000000106 implements Migration {
  readonly name = 'IssuersOfClients1763000000106';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    await schema.addColumns('clients', `issuer ${schema.text}`);
  }
}
