export { BackgroundWork } from './background/background-work.js';
export type { WarningLog } from './background/background-work.js';
export { BATCH, inBatches } from './background/in-batches.js';
export { Outage, type OutageWords } from './outages/outage.js';
export type { StoreLog } from './outages/store-log.js';
export type { DatabaseConfig, DatabaseSchema } from './database/database-options.js';
export type { DatabaseObserver } from './database/database-observer.js';
export { databaseAt } from './database/database-url.js';
export { OUTAGE_CAUSES } from './database/database-outage.js';
export { databaseUnavailable } from './database/database-unavailable.js';
export { PreparedTexts } from './database/prepared-texts.js';
export { Database } from './database/database.js';
export type {
  DatabaseUse,
  KeptWork,
  Queryable,
  RowValues,
  SqlValue,
  Transaction,
  WriteGroup,
} from './database/database.js';
export { DatabaseNotOpenedError } from './database/initialized.js';
export { openDatabase } from './database/open-database.js';
export { urlsOf } from './database/postgres-hosts.js';
export { isUniqueViolation } from './database/unique-violation.js';
export { Idempotency } from './idempotency/idempotency.js';
export type { Creation, IdempotentCreation, RepeatableRequest, Replay } from './idempotency/idempotency.js';
export type { Dialect } from './schema/dialect.js';
export { OldRecords } from './idempotency/old-records.js';
export { isRowId } from './schema/row-id.js';
export { Schema } from './schema/schema.js';
export type { CollectionLists, CollectionSchema, SortableColumn } from './schema/schema.js';
export { getOrCreateSetting } from './settings/get-or-create-setting.js';
