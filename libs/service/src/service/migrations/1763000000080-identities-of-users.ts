import { Schema } from '../../data/schema/schema.js';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores the identity of a user at an identity provider. An identity belongs to one user at most. SPEC §5.5 */
export class IdentitiesOfUsers1763000000080 implements MigrationInterface {
  readonly name = 'IdentitiesOfUsers1763000000080';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    await schema.addColumns('users', `identity_issuer ${schema.text}`, `identity_subject ${schema.text}`);
    await schema.run('CREATE UNIQUE INDEX users_identity ON users (identity_subject, identity_issuer)');
  }

  async down(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    await schema.run('DROP INDEX users_identity');
    await schema.dropColumns('users', 'identity_issuer', 'identity_subject');
  }
}
