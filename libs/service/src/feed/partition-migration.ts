import { Schema } from '../data/schema/schema.js';
import { inShortLocks } from '../data/database/short-locks.js';
import type { MigrationInterface, QueryRunner } from 'typeorm';

import { firstIdAt, timeOf } from './event-id.js';
import { BEFORE, REST } from './event-partitions.js';

/** Room for rows that are written to the old table during its validation. */
const LEAST_ROOM_MS = 600_000;
const BYTES_A_MS = 5000;
const RANGE = 'events_range';

/**
 * Partitions the table of events by id on PostgreSQL. The old table becomes the first partition without a copy, and
 * with short locks only: its range is declared first and then validated while writers continue. Older instances can
 * still read and write. If the migration is interrupted, it can start again. ADR 92
 */
export class PartitionEvents1000000000015 implements MigrationInterface {
  readonly name = 'PartitionEvents1000000000015';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    if (new Schema(runner).dialect === 'sqlite' || (await isPartitioned(runner))) return;
    const end = await endOf(runner);
    await inShortLocks(runner, [
      `ALTER TABLE events DROP CONSTRAINT IF EXISTS ${RANGE}`,
      `ALTER TABLE events ADD CONSTRAINT ${RANGE} CHECK (id < '${end}') NOT VALID`,
    ]);
    await runner.query(`ALTER TABLE events VALIDATE CONSTRAINT ${RANGE}`);
    const indexes = await indexesOf(runner);
    await inShortLocks(runner, [
      `ALTER TABLE events RENAME TO ${BEFORE}`,
      ...indexes.map(({ name }) => `ALTER INDEX ${name} RENAME TO ${name}_before`),
      `CREATE TABLE events (LIKE ${BEFORE} INCLUDING DEFAULTS) PARTITION BY RANGE (id)`,
      'ALTER TABLE events ADD PRIMARY KEY (id)',
      ...indexes.filter(({ primary }) => !primary).map(({ definition }) => definition),
      `DO $$ BEGIN
        IF EXISTS (SELECT 1 FROM ${BEFORE}) THEN
          ALTER TABLE events ATTACH PARTITION ${BEFORE} FOR VALUES FROM (MINVALUE) TO ('${end}');
        ELSE
          -- For the rows of a backup that is restored: in the default partition, all of them would be read for each new one.
          ALTER TABLE events ATTACH PARTITION ${BEFORE} FOR VALUES FROM (MINVALUE) TO ('${firstIdAt(Date.now())}');
        END IF;
        ALTER TABLE ${BEFORE} DROP CONSTRAINT ${RANGE};
      END $$`,
      `CREATE TABLE ${REST} PARTITION OF events DEFAULT`,
    ]);
  }

  /** Copies the rows. No instance may write meanwhile. */
  async down(runner: QueryRunner): Promise<void> {
    if (new Schema(runner).dialect === 'sqlite' || !(await isPartitioned(runner))) return;
    const indexes = await indexesOf(runner);
    await inShortLocks(runner, [
      'ALTER TABLE events RENAME TO events_by_day',
      ...indexes.map(({ name }) => `ALTER INDEX ${name} RENAME TO ${name}_by_day`),
      'CREATE TABLE events (LIKE events_by_day INCLUDING DEFAULTS)',
      'INSERT INTO events SELECT * FROM events_by_day',
      'DROP TABLE events_by_day',
      'ALTER TABLE events ADD PRIMARY KEY (id)',
      ...indexes.filter(({ primary }) => !primary).map(({ definition }) => definition.replace(' ON ONLY ', ' ON ')),
    ]);
  }
}

async function isPartitioned(runner: QueryRunner): Promise<boolean> {
  const found = (await runner.query(
    "SELECT 1 FROM pg_partitioned_table WHERE partrelid = 'events'::regclass",
  )) as unknown[];
  return found.length > 0;
}

/** Returns an id above all rows that are written before the validation ends. */
async function endOf(runner: QueryRunner): Promise<string> {
  const [found] = (await runner.query(
    `SELECT (SELECT id::text FROM events ORDER BY events.id DESC LIMIT 1) AS last, pg_table_size('events') AS bytes`,
  )) as { last: string | null; bytes: number | string }[];
  const last = found?.last ?? undefined;
  const lastMs = last === undefined ? 0 : timeOf(last);
  return firstIdAt(Math.max(Date.now(), lastMs) + LEAST_ROOM_MS + Number(found?.bytes ?? 0) / BYTES_A_MS);
}

interface Index {
  readonly name: string;
  readonly primary: boolean;
  readonly definition: string;
}

function indexesOf(runner: QueryRunner): Promise<Index[]> {
  return runner.query(
    `SELECT relname AS name, indisprimary AS primary, pg_get_indexdef(indexrelid) AS definition
     FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = 'events'::regclass ORDER BY relname`,
  ) as Promise<Index[]>;
}
