import { randomBytes } from 'node:crypto';
import type { Database } from '../database/database.js';
import { epochStatements } from '../schema/epochs.js';

/*
 * A position is the timeline of the primary and an offset in its WAL, in sortable hexadecimal digits. Not every role
 * may read the timeline of a standby, so the primary stores a mark: its timeline and random digits. A standby with this
 * mark has not diverged.
 */

const TIMELINE_DIGITS = 8;
const MARK = "(SELECT value FROM settings WHERE name = 'timeline')";

const offsetOf = (lsn: string): string => `lpad(to_hex((${lsn} - '0/0')::bigint), 16, '0')`;
const positionAt = (lsn: string): string =>
  `substr(pg_walfile_name(${lsn}), 1, ${String(TIMELINE_DIGITS)}) || ${offsetOf(lsn)}`;

/** This position is after all commits so far. */
export const LATEST_POSITION = `SELECT ${positionAt('pg_current_wal_insert_lsn()')} AS position`;

/** A standby with this mark and at least this position has all data. */
export const PRIMARY_STATE = `SELECT ${MARK} AS mark, ${positionAt('pg_current_wal_flush_lsn()')} AS position`;

/** On a primary, `position` is null. */
export const STANDBY_STATE = `SELECT ${MARK} AS mark, CASE WHEN pg_is_in_recovery()
  THEN substr(${MARK}, 1, ${String(TIMELINE_DIGITS)}) || ${offsetOf('pg_last_wal_replay_lsn()')} END AS position`;

export interface WalState {
  readonly mark: string | null;
  readonly position: string | null;
}

export function isMarked({ mark, position }: WalState): boolean {
  return mark !== null && position !== null && timelineOf(mark) === timelineOf(position);
}

/** Marks the timeline of a new primary. Begins an epoch, to refuse cursors to data that this primary never received. */
export async function markTimeline(primary: Database, { position }: WalState): Promise<void> {
  const timeline = timelineOf(position ?? '');
  await primary.transaction(async (tx) => {
    const marked = await tx.query(
      `INSERT INTO settings (name, value) VALUES ('timeline', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value
        WHERE left(settings.value, ${String(TIMELINE_DIGITS)}) <> $2 RETURNING name`,
      [`${timeline}-${randomBytes(6).toString('hex')}`, timeline],
    );
    if (marked.length === 0) return;
    for (const statement of epochStatements('postgres')) await tx.query(statement);
  });
}

function timelineOf(text: string): string {
  return text.slice(0, TIMELINE_DIGITS);
}
