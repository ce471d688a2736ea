export { by, Database, isUniqueViolation, lockByRow, Schema } from '@items/store';
export type { Queryable, RowValues, SqlValue, Transaction } from '@items/store';
