import { Schema } from '../../data/schema/schema.js';
import type { MigrationInterface, QueryRunner } from 'typeorm';

import { FIRST_PLACE } from '../event-id.js';
import { keyOf } from '../event-key.js';

/**
 * Creates the table of audit events with an index for each filter. Its first row is not an event. It is the position
 * before all events.
 */
export class CreateAuditEvents1000000000016 implements MigrationInterface {
  readonly name = 'CreateAuditEvents1000000000016';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    const { id, text, dialect } = schema;
    const isSqlite = dialect === 'sqlite';
    const key = isSqlite ? `place INTEGER PRIMARY KEY, id ${id} NOT NULL` : `id ${id} NOT NULL PRIMARY KEY`;
    // Every index of SQLite already ends with the primary key `place`.
    const behind = isSqlite ? '' : ', id';
    await schema.run(
      `CREATE TABLE audit_events (${key}, type ${text} NOT NULL, object_id ${id}, actor_type ${text} NOT NULL,
        user_id ${id}, credential_id ${text}, client_id ${id}, address ${text}, request_id ${text},
        changed text NOT NULL)`,
      `CREATE INDEX audit_events_by_type ON audit_events (type${behind})`,
      `CREATE INDEX audit_events_by_object_id ON audit_events (object_id${behind})`,
      ...['user_id', 'credential_id', 'client_id'].map(
        (column) =>
          `CREATE INDEX audit_events_by_${column} ON audit_events (${column}, type${behind}) WHERE ${column} IS NOT NULL`,
      ),
      `INSERT INTO audit_events (${isSqlite ? 'place, ' : ''}id, type, actor_type, changed)
        VALUES (${isSqlite ? `${String(keyOf(dialect, FIRST_PLACE))}, ` : ''}'${FIRST_PLACE}', 'gap', 'system', '[]')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await new Schema(runner).run('DROP TABLE audit_events');
  }
}
