import { inShortLocks } from '../data/database/short-locks.js';
import type { QueryRunner } from 'typeorm';

import { firstIdAt, timeOf } from './event-id.js';
import { beforeOf, restOf } from './table-partitions.js';

/**
 * Minimum time between now and the end of the old table's range. Rows that are written until the rename must be within
 * the range, and a long reader may delay the rename.
 */
const LEAST_ROOM_MS = 86_400_000;
/** Assumed speed of the validation. */
const BYTES_PER_MS = 5000;

/** Work in the transaction that renames the table. */
interface AroundRename {
  readonly before?: () => Promise<unknown>;
  readonly after?: () => Promise<unknown>;
}

/**
 * Partitions a table by id on PostgreSQL. The old table becomes the first partition without a copy, and with short
 * locks only: its range is declared first and then validated while writers continue. Older instances can still read and
 * write. An interrupted migration can start again. ADR 92
 * @param around Removes and restores the triggers of the table: a table must have none when it becomes a partition.
 */
export async function partitionTable(runner: QueryRunner, table: string, around: AroundRename = {}): Promise<void> {
  if (await isPartitioned(runner, table)) return;
  const [before, rest, range] = [beforeOf(table), restOf(table), `${table}_range`];
  const end = await endOf(runner, table);
  await inShortLocks(runner, [
    `ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${range}`,
    `ALTER TABLE ${table} ADD CONSTRAINT ${range} CHECK (id < '${end}') NOT VALID`,
  ]);
  try {
    await runner.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${range}`);
  } catch (error) {
    // A constraint that stays would later refuse new rows.
    await inShortLocks(runner, [`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${range}`]);
    throw error;
  }
  const indexes = await indexesOf(runner, table);
  await inShortLocks(runner, [
    ...(around.before ? [around.before] : []),
    `ALTER TABLE ${table} RENAME TO ${before}`,
    ...indexes.map(({ name }) => `ALTER INDEX ${name} RENAME TO ${name}_before`),
    `CREATE TABLE ${table} (LIKE ${before} INCLUDING DEFAULTS) PARTITION BY RANGE (id)`,
    `ALTER TABLE ${table} ADD PRIMARY KEY (id)`,
    ...indexes.filter(({ primary }) => !primary).map(({ definition }) => definition),
    `DO $$ BEGIN
      IF EXISTS (SELECT 1 FROM ${before}) THEN
        ALTER TABLE ${table} ATTACH PARTITION ${before} FOR VALUES FROM (MINVALUE) TO ('${end}');
      ELSE
        -- For rows of a restored backup: from the default partition, each new partition would read all of them.
        ALTER TABLE ${table} ATTACH PARTITION ${before} FOR VALUES FROM (MINVALUE) TO ('${firstIdAt(Date.now())}');
      END IF;
      ALTER TABLE ${before} DROP CONSTRAINT ${range};
    END $$`,
    `CREATE TABLE ${rest} PARTITION OF ${table} DEFAULT`,
    ...(around.after ? [around.after] : []),
  ]);
}

async function isPartitioned(runner: QueryRunner, table: string): Promise<boolean> {
  const found = (await runner.query(
    `SELECT 1 FROM pg_partitioned_table WHERE partrelid = '${table}'::regclass`,
  )) as unknown[];
  return found.length > 0;
}

/** Estimates, by the size of the table, an id above all rows that are written before `VALIDATE CONSTRAINT` ends. */
async function endOf(runner: QueryRunner, table: string): Promise<string> {
  const [found] = (await runner.query(
    `SELECT (SELECT id::text FROM ${table} ORDER BY ${table}.id DESC LIMIT 1) AS last, pg_table_size('${table}') AS bytes`,
  )) as { last: string | null; bytes: number | string }[];
  const last = found?.last ?? undefined;
  const lastMs = last === undefined ? 0 : timeOf(last);
  return firstIdAt(Math.max(Date.now(), lastMs) + LEAST_ROOM_MS + Number(found?.bytes ?? 0) / BYTES_PER_MS);
}

interface Index {
  readonly name: string;
  readonly primary: boolean;
  readonly definition: string;
}

function indexesOf(runner: QueryRunner, table: string): Promise<Index[]> {
  return runner.query(
    `SELECT relname AS name, indisprimary AS primary, pg_get_indexdef(indexrelid) AS definition
     FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = '${table}'::regclass ORDER BY relname`,
  ) as Promise<Index[]>;
}
