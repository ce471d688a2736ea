export { Database } from './store/database/database.js';
export { isUniqueViolation } from './store/database/violations.js';
export { lockByRow } from './store/database/lock-by-row.js';
export { Schema } from './store/schema/schema.js';
export type { CollectionLists } from './store/schema/schema.js';
export type { IdempotentCreation, RepeatableRequest } from './store/idempotency/idempotency.js';
export type { Queryable, RowValues, SqlValue, Transaction } from './store/database/database.js';
