import type { QueryRunner } from 'typeorm';

import type { Migration } from '../data/schema/migration.js';
import { Schema } from '../data/schema/schema.js';
import { FIRST_POSITION, firstIdAt } from './event-id.js';
import { keyOf } from './event-key.js';
import { beforeOf, restOf } from './table-partitions.js';

/**
 * Creates the tables of events and of audit events. Events are ordered by id, and each index follows this order. A row
 * of the type `gap` is no event: events before a gap may be missing.
 */
class FeedBaseline implements Migration {
  readonly name = 'CreateAuditEvents1000000000016';
  readonly replaces = ['CreateEvents1000000000010', 'PlaceEvents1000000000011', 'PartitionEvents1000000000015'];

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    await schema.run(
      ...(schema.dialect === 'sqlite' ? eventsOfSqlite(schema) : eventsOfPostgres(schema)),
      ...auditEvents(schema),
    );
  }
}

function eventColumns({ id, text }: Schema): string {
  return `id ${id} NOT NULL, type ${text} NOT NULL, object_id ${id}, owner_id ${id}, api_version ${text} NOT NULL,
    data text NOT NULL`;
}

/** The key `place` is a short number, because SQLite appends it to every index. */
function eventsOfSqlite(schema: Schema): string[] {
  return [
    `CREATE TABLE events (place INTEGER PRIMARY KEY, ${eventColumns(schema)})`,
    'CREATE INDEX events_by_type ON events (type)',
    'CREATE INDEX events_by_object_id ON events (object_id)',
    'CREATE INDEX events_by_owner_id ON events (owner_id) WHERE owner_id IS NOT NULL',
  ];
}

/** The service adds a partition for each day. The first partition takes the rows of a restored backup. ADR 92 */
function eventsOfPostgres(schema: Schema): string[] {
  const table = (name: string, suffix: string, end: string): string[] => [
    `CREATE TABLE ${name} (${eventColumns(schema)}, CONSTRAINT events_pkey${suffix} PRIMARY KEY (id))${end}`,
    `CREATE INDEX events_by_type${suffix} ON ${name} (type, id)`,
    `CREATE INDEX events_by_object_id${suffix} ON ${name} (object_id, id)`,
    `CREATE INDEX events_by_owner_id${suffix} ON ${name} (owner_id, id) WHERE owner_id IS NOT NULL`,
  ];
  const before = beforeOf('events');
  return [
    ...table('events', '', ' PARTITION BY RANGE (id)'),
    ...table(before, '_before', ''),
    `ALTER TABLE events ATTACH PARTITION ${before} FOR VALUES FROM (MINVALUE) TO ('${firstIdAt(Date.now())}')`,
    `CREATE TABLE ${restOf('events')} PARTITION OF events DEFAULT`,
  ];
}

/** The first row is no event, but the position before all events. */
function auditEvents({ id, text, dialect }: Schema): string[] {
  const isSqlite = dialect === 'sqlite';
  const key = isSqlite ? `place INTEGER PRIMARY KEY, id ${id} NOT NULL` : `id ${id} NOT NULL PRIMARY KEY`;
  const behind = isSqlite ? '' : ', id';
  return [
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
      VALUES (${isSqlite ? `${String(keyOf(dialect, FIRST_POSITION))}, ` : ''}'${FIRST_POSITION}', 'gap', 'system', '[]')`,
  ];
}

/** Migrations of the feed and of the audit. An app lists them before its own. */
export const eventMigrations = [FeedBaseline];
