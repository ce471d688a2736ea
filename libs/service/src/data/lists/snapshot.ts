import { BEFORE_EPOCHS } from '@items/paging';
import type { Dialect } from '../schema/dialect.js';
import type { RowValues } from '../database/database.js';
import { EPOCH_SQL, reachedSql } from '../schema/epochs.js';

import type { Snapshot } from '../definition/bindings.js';
import type { Parameters } from './page-statement.js';
import { LANE, SEQ } from '../definition/row-values.js';

/** How far the clock of one instance may be ahead of another's, or of itself later on. */
const CLOCK_TOLERANCE_MS = 60_000;

/** Clocks show the time from the first write on; before that they stand at the beginning. */
const FIRST_TIME_MS = Date.UTC(2020, 0);

/**
 * No row that was written before the snapshot says that it was created or updated later than this, in milliseconds.
 * Undefined where the clocks do not know the time yet.
 */
export function latestTime({ clocks }: Snapshot): number | undefined {
  const latestMs = Math.ceil(Math.max(...clocks) / 1000);
  return latestMs < FIRST_TIME_MS ? undefined : latestMs + CLOCK_TOLERANCE_MS;
}

/** Whether nothing was written between a moment and the one in the text that {@link snapshotSql} makes. */
export function isSame(text: string, { clocks }: Snapshot): boolean {
  return text.slice(0, text.indexOf(';')) === clocks.join(',');
}

/** Whether a row was written before the snapshot. */
export function isSeen(row: RowValues, snapshot: Snapshot): boolean {
  return (row[SEQ] as number) <= (snapshot.clocks[row[LANE] as number] ?? 0);
}

/** A condition: the row was written before the snapshot that the statement is bound to. */
export function seenSql(dialect: Dialect, params: Parameters): string {
  return `seq <= ${clockSql(dialect, 'lane', params)}`;
}

/** A condition on a replaced row: it was the valid one at the snapshot. No two versions of a row are. */
export function validSql(dialect: Dialect, params: Parameters): string {
  const seen = seenSql(dialect, params);
  return `${seen} AND seq_to > ${clockSql(dialect, 'lane_to', params)}`;
}

function clockSql(dialect: Dialect, lane: string, params: Parameters): string {
  if (dialect === 'sqlite') return params.add(({ snapshot }) => snapshot?.clocks[0] ?? 0);
  return `(${params.add(({ snapshot }) => snapshot?.clocks ?? [])}::bigint[])[${lane} + 1]`;
}

/** A condition on a replaced row: it was not deleted since. */
export function existsSql(table: string, versions: string): string {
  return `EXISTS (SELECT 1 FROM ${table} WHERE ${table}.id = ${versions}.id)`;
}

/**
 * An expression: the snapshot of now, as text, and whether writers know that walks may begin at it. It must stand in the
 * statement that reads the rows.
 */
export function snapshotSql(dialect: Dialect, collection: string, params: Parameters): string {
  const [list, isAnnounced] =
    dialect === 'sqlite'
      ? ["group_concat(seq, ',')", 'min(seq <= walks_until)']
      : ["string_agg(seq::text, ',' ORDER BY lane)", '1'];
  return `(SELECT ${list} || ';' || ${EPOCH_SQL} || ';' || ${isAnnounced}
    FROM collection_lanes WHERE collection = ${params.add(collection)})`;
}

/** Reads the text that {@link snapshotSql} makes. */
export function parseSnapshot(text: string): Snapshot & { readonly isAnnounced: boolean } {
  const [clocks = '', epoch = '', isAnnounced] = text.split(';');
  return { clocks: clocks.split(',').map(Number), epoch, isAnnounced: isAnnounced === '1' };
}

/** A snapshot that is kept until something is written, for a walk that writers do not know of: no epoch has no name. */
export function untilWritten({ clocks }: Snapshot): Snapshot {
  return { clocks, epoch: '' };
}

/**
 * An expression: whether everything that was valid at the snapshot is still kept, this server has come as far as the
 * snapshot (a lagging replica has not), and this database has been there (a restored backup may have gone another way). The
 * last is not known of cursors from before there were epochs: they are served as the release served them that made them.
 */
export function keptSql(dialect: Dialect, collection: string, params: Parameters): string {
  const clock = clockSql(dialect, 'lane', params);
  const name = params.add(collection);
  const epoch = params.add(({ snapshot }) => snapshot?.epoch ?? '');
  return `(NOT EXISTS (SELECT 1 FROM collection_lanes WHERE collection = ${name}
    AND (floor > ${clock} OR seq < ${clock})) AND (${epoch} = '${BEFORE_EPOCHS}' OR ${reachedSql(epoch, name, clock)}))`;
}
