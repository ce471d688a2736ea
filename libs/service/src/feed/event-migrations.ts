import { Schema } from '../data/schema/schema.js';
import type { MigrationInterface, QueryRunner } from 'typeorm';

import { PartitionEvents1000000000015 } from './partition-migration.js';
import { CreateAuditEvents1000000000016 } from './audit/audit-migrations.js';

const COLUMNS = 'id, type, object_id, owner_id, api_version, data';
const INDEXES = ['events_by_type', 'events_by_object_id', 'events_by_owner_id'];

/**
 * Creates the table of events. Its order is the order of ids, and each index follows it: by type, resource and user. A
 * row of the type `gap` is not an event. It marks that events before it may be missing.
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

/**
 * Gives events of SQLite a numeric key made of their ids. Rows are then appended to the table, and the indexes are half
 * as large. On PostgreSQL two writes may share a stamp, so nothing changes there.
 */
export class PlaceEvents1000000000011 implements MigrationInterface {
  readonly name = 'PlaceEvents1000000000011';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    if (schema.dialect === 'postgres') return;
    const { text, id } = schema;
    const micros = `1000 * ${hexSql('substr(id, 1, 8) || substr(id, 10, 4)', 12)} + ${hexSql('substr(id, 16, 3)', 3)}`;
    await schema.run(
      'ALTER TABLE events RENAME TO events_by_id',
      `CREATE TABLE events (place INTEGER PRIMARY KEY, id ${id} NOT NULL, type ${text} NOT NULL, object_id ${id},
        owner_id ${id}, api_version ${text} NOT NULL, data text NOT NULL)`,
      `INSERT INTO events SELECT 2 * (${micros}) + (type = 'gap'), ${COLUMNS} FROM events_by_id ORDER BY id`,
      'DROP TABLE events_by_id',
      // Every index of SQLite ends with the primary key.
      'CREATE INDEX events_by_type ON events (type)',
      'CREATE INDEX events_by_object_id ON events (object_id)',
      'CREATE INDEX events_by_owner_id ON events (owner_id) WHERE owner_id IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    if (schema.dialect === 'postgres') return;
    await schema.run('ALTER TABLE events RENAME TO events_by_place', ...INDEXES.map((name) => `DROP INDEX ${name}`));
    await new CreateEvents1000000000010().up(runner);
    await schema.run(
      `INSERT INTO events SELECT ${COLUMNS} FROM events_by_place ORDER BY place`,
      'DROP TABLE events_by_place',
    );
  }
}

/**
 * Builds an expression of SQLite that parses hexadecimal digits, because SQLite has no function for it.
 * @param digits Expression of the digits.
 */
function hexSql(digits: string, length: number): string {
  const values = Array.from({ length }, (_, at) => {
    const digit = `substr(${digits}, ${String(at + 1)}, 1)`;
    return `((instr('0123456789abcdef', ${digit}) - 1) << ${String(4 * (length - 1 - at))})`;
  });
  return `(${values.join(' + ')})`;
}

/** Migrations of the feed and of the audit. An app lists them before its own. */
export const eventMigrations = [
  CreateEvents1000000000010,
  PlaceEvents1000000000011,
  PartitionEvents1000000000015,
  CreateAuditEvents1000000000016,
];
