/*
 * On SQLite, a write saves the replaced version only if a walk (the pages of one cursor) may have started since that
 * version was written. `collection_lanes.walks_until` is the latest clock at which a walk may have started. A walk that
 * starts later raises this clock and reads again. The clock never falls. ADR 61
 */

/** Column that only SQLite has, because PostgreSQL saves every replaced version. */
export const WALKS_UNTIL = { table: 'collection_lanes', column: 'walks_until' } as const;

/**
 * Announces all walks that may have started by now. Runs at each start of a process, because a restored backup or an
 * unsynced disk may have lost announcements.
 */
export const WALKS_UNTIL_NOW = 'UPDATE collection_lanes SET walks_until = seq WHERE walks_until < seq';
