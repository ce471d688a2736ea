import { randomBytes } from 'node:crypto';

import { WALKS_UNTIL_NOW } from './announced-walks.js';
import type { Dialect } from './dialect.js';

/*
 * Each start of a process begins an epoch of the database, with a random name, and notes where the clocks of all
 * collections stood at the end of the one before. A place in a collection (a cursor) names its epoch. When a backup has
 * been put in the database's place, the start after it ends the backup's epoch where the backup ended: what was made
 * later, in that epoch or in one that the backup does not know, is of a past that this database has lost.
 */

/** How long the ends of epochs are kept, in milliseconds: 400 days, longer than any place is good for. */
const KEPT_MS = 400 * 86_400_000;

/** An expression: the name of the epoch. It must stand in the statement that reads the clocks. */
export const EPOCH_SQL = "(SELECT value FROM settings WHERE name = 'epoch')";

/** Statements of one transaction, which begin an epoch. */
export function epochStatements(dialect: Dialect, nowMs = Date.now()): readonly string[] {
  const epoch = randomBytes(6).toString('base64url');
  return [
    // No write between the look at the clocks and the commit: it would be one of the former epoch, after its end.
    dialect === 'postgres' ? 'LOCK TABLE collection_lanes IN SHARE MODE' : WALKS_UNTIL_NOW,
    `INSERT INTO epoch_ends (epoch, collection, lane, seq, ended_at)
      SELECT settings.value, collection_lanes.collection, collection_lanes.lane, collection_lanes.seq, ${String(nowMs)}
      FROM settings CROSS JOIN collection_lanes WHERE settings.name = 'epoch'`,
    `INSERT INTO settings (name, value) VALUES ('epoch', '${epoch}')
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    `DELETE FROM epoch_ends WHERE ended_at < ${String(nowMs - KEPT_MS)}`,
  ];
}

/**
 * A condition: the database has been at a place, in this epoch or in a former one.
 * @param epoch a parameter: the epoch of the place.
 * @param collection a parameter.
 * @param clock an expression: the clock of the place on the lane in the column `lane`.
 */
export function reachedSql(epoch: string, collection: string, clock: string): string {
  return `(${EPOCH_SQL} = ${epoch} OR (EXISTS (SELECT 1 FROM epoch_ends WHERE epoch = ${epoch} AND collection = ${collection})
    AND NOT EXISTS (SELECT 1 FROM epoch_ends WHERE epoch = ${epoch} AND collection = ${collection} AND seq < ${clock})))`;
}
