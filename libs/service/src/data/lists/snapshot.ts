import { BEFORE_EPOCHS } from '@items/paging';
import type { Dialect } from '../schema/dialect.js';
import type { RowValues } from '../database/database.js';
import { EPOCH_SQL, reachedSql } from '../schema/epochs.js';
import type { Parameters, Snapshot } from './page-statement.js';
import { LANE, SEQ } from '../database/versioned-row.js';
import { sqlName } from '../schema/quoted.js';

/** Maximum difference between the clocks of two instances. */
const CLOCK_TOLERANCE_MS = 60_000;

/** Clocks start at 1. The clock of a lane without writes is below this time. */
const FIRST_TIME_MS = Date.UTC(2020, 0);

/** Upper bound in ms of row times in the snapshot. Undefined before the first write. */
export function latestTime({ clocks }: Snapshot): number | undefined {
  const latestMs = Math.ceil(Math.max(...clocks) / 1000);
  return latestMs < FIRST_TIME_MS ? undefined : latestMs + CLOCK_TOLERANCE_MS;
}

/** True if both snapshots have the same clocks. `text` comes from {@link snapshotSql}. */
export function isSame(text: string, { clocks }: Snapshot): boolean {
  return text.slice(0, text.indexOf(';')) === clocks.join(',');
}

export function isSeen(row: RowValues, snapshot: Snapshot): boolean {
  return (row[SEQ] as number) <= (snapshot.clocks[row[LANE] as number] ?? 0);
}

export function seenSql(dialect: Dialect, params: Parameters): string {
  return `seq <= ${clockSql(dialect, 'lane', params)}`;
}

/** Condition for a version that was valid at the snapshot: at most one per row. */
export function validSql(dialect: Dialect, params: Parameters): string {
  const seen = seenSql(dialect, params);
  return `${seen} AND seq_to > ${clockSql(dialect, 'lane_to', params)}`;
}

function clockSql(dialect: Dialect, lane: string, params: Parameters): string {
  if (dialect === 'sqlite') return params.add(({ snapshot }) => snapshot?.clocks[0] ?? 0);
  return `(${params.add(({ snapshot }) => snapshot?.clocks ?? [])}::bigint[])[${lane} + 1]`;
}

export function existsSql(collection: string, versions: string): string {
  const table = sqlName(collection);
  return `EXISTS (SELECT 1 FROM ${table} WHERE ${table}.id = ${versions}.id)`;
}

/**
 * Selects the clocks, the epoch, and whether walks from this snapshot are announced (announce-walks.ts), as one text.
 * Use this in the statement that reads the rows.
 */
export function snapshotSql(dialect: Dialect, collection: string, params: Parameters): string {
  const [list, isAnnounced] =
    dialect === 'sqlite'
      ? ["group_concat(seq, ',')", 'min(seq <= walks_until)']
      : ["string_agg(seq::text, ',' ORDER BY lane)", '1'];
  return `(SELECT ${list} || ';' || ${EPOCH_SQL} || ';' || ${isAnnounced}
    FROM collection_lanes WHERE collection = ${params.add(collection)})`;
}

export function parseSnapshot(text: string): Snapshot & { readonly isAnnounced: boolean } {
  const [clocks = '', epoch = '', isAnnounced] = text.split(';');
  return { clocks: clocks.split(',').map(Number), epoch, isAnnounced: isAnnounced === '1' };
}

/**
 * Snapshot of a walk that could not be announced: writes store no versions for it. After a write, the next page checks
 * the epoch and fails, because the empty epoch matches no database.
 */
export function expiringAtNextWrite({ clocks }: Snapshot): Snapshot {
  return { clocks, epoch: '' };
}

/**
 * True if a walk can continue:
 * - All versions of the snapshot are stored.
 * - This server has reached the snapshot. A standby may lag.
 * - The snapshot is from this database. A restored backup may lack it. Cursors from releases without epochs skip this
 *   check.
 */
export function canContinueSql(dialect: Dialect, collection: string, params: Parameters): string {
  const clock = clockSql(dialect, 'lane', params);
  const name = params.add(collection);
  const epoch = params.add(({ snapshot }) => snapshot?.epoch ?? '');
  return `(NOT EXISTS (SELECT 1 FROM collection_lanes WHERE collection = ${name}
    AND (floor > ${clock} OR seq < ${clock})) AND (${epoch} = '${BEFORE_EPOCHS}' OR ${reachedSql(epoch, name, clock)}))`;
}
