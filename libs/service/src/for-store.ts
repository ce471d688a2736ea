export { Database } from './data/database/database.js';
export { isUniqueViolation } from './data/database/error-codes.js';
export { lockByRow } from './data/database/settings.js';
export { Schema } from './data/schema/schema.js';
export type { CollectionLists, CollectionSchema } from './data/schema/schema.js';
export type { IdempotentCreation, RepeatableRequest } from './data/idempotency/idempotency.js';
export type { Queryable, RowValues, SqlValue, Transaction } from './data/database/database.js';
