import { Schema } from '@items/store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The table of events. Its one order is that of the ids, and each index follows it: of one kind, of one resource, of one
 * user. A row of the kind `gap` is no event: what lies before it is no longer told without a gap.
 */
export class CreateEvents1000000000010 implements MigrationInterface {
  readonly name = 'CreateEvents1000000000010';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    const { id, text, dialect } = schema;
    await schema.run(
      `CREATE TABLE events (id ${id} NOT NULL PRIMARY KEY, type ${text} NOT NULL, object_id ${id}, owner_id ${id},
        api_version ${text} NOT NULL, data text NOT NULL)${dialect === 'sqlite' ? ' WITHOUT ROWID' : ''}`,
      'CREATE INDEX events_by_type ON events (type, id)',
      'CREATE INDEX events_by_object_id ON events (object_id, id)',
      'CREATE INDEX events_by_owner_id ON events (owner_id, id) WHERE owner_id IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await new Schema(runner).run('DROP TABLE events');
  }
}

/** The migrations of the feed: an application has them before its own. */
export const eventMigrations = [CreateEvents1000000000010];
