import type { Dialect } from '../database/database.js';
import type { VersionedRow } from '../database/versioned-row.js';
import type { Parameters } from './parameters.js';

/** A moment of a collection: the clock of each of its lanes. */
export type Snapshot = readonly number[];

/** How far the clock of one instance may be ahead of another's, or of itself later on. */
const CLOCK_TOLERANCE_MS = 60_000;

/** Clocks show the time from the first write on; before that they stand at the beginning. */
const FIRST_TIME_MS = Date.UTC(2020, 0);

/**
 * No row that was written before the snapshot says that it was created or updated later than this, in milliseconds.
 * Undefined where the clocks do not know the time yet.
 */
export function latestTime(snapshot: Snapshot): number | undefined {
  const latestMs = Math.ceil(Math.max(...snapshot) / 1000);
  return latestMs < FIRST_TIME_MS ? undefined : latestMs + CLOCK_TOLERANCE_MS;
}

/** Whether nothing was written between two moments. */
export function isSame(a: Snapshot, b: Snapshot): boolean {
  return a.length === b.length && a.every((clock, lane) => clock === b[lane]);
}

/** Whether a row was written before the snapshot. */
export function isSeen(row: VersionedRow, snapshot: Snapshot): boolean {
  return row.seq <= (snapshot[row.lane] ?? 0);
}

/** A condition: the row was written before the snapshot. */
export function seenSql(dialect: Dialect, snapshot: Snapshot, params: Parameters): string {
  return `seq <= ${clockSql(dialect, snapshot, 'lane', params)}`;
}

/** A condition on a replaced row: it was the valid one at the snapshot. No two versions of a row are. */
export function validSql(dialect: Dialect, snapshot: Snapshot, params: Parameters): string {
  const seen = seenSql(dialect, snapshot, params);
  return `${seen} AND seq_to > ${clockSql(dialect, snapshot, 'lane_to', params)}`;
}

function clockSql(dialect: Dialect, snapshot: Snapshot, lane: string, params: Parameters): string {
  if (dialect === 'sqlite') return params.add(snapshot[0] ?? 0);
  return `(${params.add(snapshot)}::bigint[])[${lane} + 1]`;
}

/** A condition on a replaced row: it was not deleted since. */
export function existsSql(table: string, versions: string): string {
  return `EXISTS (SELECT 1 FROM ${table} WHERE ${table}.id = ${versions}.id)`;
}

/** An expression: the snapshot of now, as text. It must stand in the statement that reads the rows. */
export function snapshotSql(dialect: Dialect, collection: string, params: Parameters): string {
  const list = dialect === 'sqlite' ? "group_concat(seq, ',')" : "string_agg(seq::text, ',' ORDER BY lane)";
  return `(SELECT ${list} FROM collection_lanes WHERE collection = ${params.add(collection)})`;
}

/** Reads the text that {@link snapshotSql} makes. */
export function parseSnapshot(text: string): Snapshot {
  return text.split(',').map(Number);
}

/**
 * An expression: whether everything that was valid at the snapshot is still kept, and this server has come as far as
 * the snapshot (a lagging replica, or a restored backup, has not).
 */
export function keptSql(dialect: Dialect, collection: string, snapshot: Snapshot, params: Parameters): string {
  const clock = clockSql(dialect, snapshot, 'lane', params);
  return `NOT EXISTS (SELECT 1 FROM collection_lanes WHERE collection = ${params.add(collection)}
    AND (floor > ${clock} OR seq < ${clock}))`;
}
