import { Schema } from '../../data/schema/schema.js';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates users. Password hashes are in a separate table, so that old versions of a user contain no hash. */
export class CreateUsers1763000000005 implements MigrationInterface {
  readonly name = 'CreateUsers1763000000005';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    const { id, text, int } = schema;
    await schema.createCollection({
      table: 'users',
      columns: [
        `username ${text} NOT NULL`,
        `name ${text}`,
        `email ${text}`,
        `role ${text} NOT NULL`,
        'disabled smallint NOT NULL',
      ],
      sortable: [{ column: 'username' }, { column: 'created_at' }],
      filters: ['role', 'disabled'],
    });
    await schema.run(
      'CREATE UNIQUE INDEX users_username ON users (username)',
      `CREATE TABLE user_passwords (user_id ${id} NOT NULL PRIMARY KEY, hash text NOT NULL, version ${int} NOT NULL)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    await schema.run('DROP TABLE user_passwords');
    await schema.dropCollection('users');
  }
}
