import { randomBytes } from 'node:crypto';
import { WALKS_UNTIL_NOW } from './walks-until.js';
import type { Dialect } from './dialect.js';

/*
 * Each start of a process begins an epoch with a random name, and records the clocks of all collections as the end of
 * the previous epoch. Every cursor names its epoch. The first start after a restore ends the backup's epoch. So a
 * cursor of an unknown epoch, or with clocks after the epoch's end, refers to lost data.
 */

/** Longer than the lifetime of any cursor. */
const RETENTION_MS = 400 * 86_400_000;

/** Read the clocks in the same statement, so that epoch and clocks are of one moment. */
export const EPOCH_SQL = "(SELECT value FROM settings WHERE name = 'epoch')";

/** Returns the statements that begin an epoch, for one transaction. */
export function epochStatements(dialect: Dialect, nowMs = Date.now()): readonly string[] {
  const epoch = randomBytes(6).toString('base64url');
  return [
    // Without the lock, a concurrent write could belong to the old epoch after its recorded end.
    dialect === 'postgres' ? 'LOCK TABLE collection_lanes IN SHARE MODE' : WALKS_UNTIL_NOW,
    `INSERT INTO epoch_ends (epoch, collection, lane, seq, ended_at)
      SELECT settings.value, collection_lanes.collection, collection_lanes.lane, collection_lanes.seq, ${String(nowMs)}
      FROM settings CROSS JOIN collection_lanes WHERE settings.name = 'epoch'`,
    `INSERT INTO settings (name, value) VALUES ('epoch', '${epoch}')
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    `DELETE FROM epoch_ends WHERE ended_at < ${String(nowMs - RETENTION_MS)}`,
  ];
}

/**
 * Builds the condition that a position still exists: its epoch is current, or ended at or after the position.
 * @param clock SQL of the position's clock on the lane in the column `lane`.
 */
export function reachedSql(epoch: string, collection: string, clock: string): string {
  return `(${EPOCH_SQL} = ${epoch} OR (EXISTS (SELECT 1 FROM epoch_ends WHERE epoch = ${epoch} AND collection = ${collection})
    AND NOT EXISTS (SELECT 1 FROM epoch_ends WHERE epoch = ${epoch} AND collection = ${collection} AND seq < ${clock})))`;
}
