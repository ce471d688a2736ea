import { randomBytes } from 'node:crypto';

import type { Database } from '../database/database.js';
import { epochStatements } from '../schema/epochs.js';

/*
 * A position is the timeline of the primary and a place in its log, as hexadecimal digits, so that the later one is the
 * greater text. A standby cannot be asked for its timeline by every role. So the primary keeps a mark in the settings,
 * which begins with its timeline: a standby that shows the same mark follows this primary, and has not gone another way.
 */

const TIMELINE_DIGITS = 8;
const MARK = "(SELECT value FROM settings WHERE name = 'timeline')";

const placeOf = (lsn: string): string => `lpad(to_hex((${lsn} - '0/0')::bigint), 16, '0')`;
const positionAt = (lsn: string): string =>
  `substr(pg_walfile_name(${lsn}), 1, ${String(TIMELINE_DIGITS)}) || ${placeOf(lsn)}`;

/** A statement for the primary: a position behind all that is committed. */
export const LATEST_POSITION = `SELECT ${positionAt('pg_current_wal_insert_lsn()')} AS position`;

/** A statement for the primary: what a standby that has all of it must show. */
export const PRIMARY_STATE = `SELECT ${MARK} AS mark, ${positionAt('pg_current_wal_flush_lsn()')} AS position`;

/** A statement for a standby: how far it has come. The position is null where it is none. */
export const STANDBY_STATE = `SELECT ${MARK} AS mark, CASE WHEN pg_is_in_recovery()
  THEN substr(${MARK}, 1, ${String(TIMELINE_DIGITS)}) || ${placeOf('pg_last_wal_replay_lsn()')} END AS position`;

/** What a server says of itself. */
export interface LogState {
  readonly mark: string | null;
  readonly position: string | null;
}

/** Whether the mark is that of the timeline. */
export function isMarked({ mark, position }: LogState): boolean {
  return mark !== null && position !== null && timelineOf(mark) === timelineOf(position);
}

/**
 * Marks the timeline of a primary that is new, or was a standby until now. Then an epoch ends as well: what the former
 * primary has not sent is lost, and cursors that have seen it are refused.
 */
export async function markTimeline(primary: Database, { position }: LogState): Promise<void> {
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
