/*
 * On SQLite, a write keeps the row that it replaces only where a walk may ask for it: where one may have begun since the
 * row was written. `collection_lanes.walks_until` is the clock at which the latest walk began, or a later one, in every
 * database that hands out cursors: a walk that begins later raises it first. It never falls. ADR 61
 */

/** The column that PostgreSQL has not: there, each row that is replaced leaves a version. */
export const WALKS_UNTIL = { table: 'collection_lanes', column: 'walks_until' } as const;

/** For so long, walks may begin that are not announced: an instance of a former version may still run beside this one. */
const FORMER_INSTANCES_MS = 86_400_000;

/**
 * A statement: walks may have begun at any moment so far. Each start runs it, since the file may be a backup in whose
 * place, or a disk that has lost what was not synced yet, walks were announced.
 */
export const WALKS_UNTIL_NOW = 'UPDATE collection_lanes SET walks_until = seq WHERE walks_until < seq';

/** A statement, for a database that was in use before walks were announced: then an epoch has begun. */
export function walksOfFormerInstances(nowMs = Date.now()): string {
  return `UPDATE collection_lanes SET walks_until = max(seq, ${String(1000 * nowMs)}) + ${String(1000 * FORMER_INSTANCES_MS)}
    WHERE EXISTS (SELECT 1 FROM settings WHERE name = 'epoch')`;
}
