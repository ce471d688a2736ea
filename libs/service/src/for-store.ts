export { Database } from './data/database/database.js';
export { isUniqueViolation } from './data/database/violations.js';
export { lockByRow } from './data/database/lock-by-row.js';
export { Schema } from './data/schema/schema.js';
export type { CollectionLists, CollectionSchema } from './data/schema/schema.js';
export type { IdempotentCreation, RepeatableRequest } from './data/idempotency/idempotency.js';
export type { Queryable, RowValues, SqlValue, Transaction } from './data/database/database.js';
