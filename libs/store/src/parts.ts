/*
 * What `@items/collections`, `@items/events` and `@items/operations` build on. It may change in any version: for an app,
 * `@items/store` is what there is.
 */
export { ROWS_PER_BATCH } from './database/batched.js';
export { migratePostgres, postgresSource } from './database/postgres-source.js';
export { inShortLocks, isLockTimeout, SHORT_LOCK_MS } from './database/short-locks.js';
export { SqliteConnection } from './database/sqlite-connection.js';
export { migrateSqlite, sqliteWriter } from './database/sqlite-source.js';
export { IN_TIME, tooSlow } from './database/too-slow.js';
export { connectionOf } from './database/typeorm-connections.js';
export { migrationNames } from './database/tables-of.js';
export { inFlight, secretNotReplayable } from './idempotency/idempotency.js';
export { WALKS_UNTIL } from './schema/announced-walks.js';
export { ROW_COLUMNS } from './schema/columns.js';
export type { Column } from './schema/columns.js';
export { EPOCH_SQL, reachedSql } from './schema/epochs.js';
export { FIRST_CLOCK, LANES } from './schema/schema.js';
export { storeMigrations } from './schema/store-migrations.js';
export type { VersionedRow } from './schema/versioned-row.js';
