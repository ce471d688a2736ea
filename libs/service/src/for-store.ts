export { by, Database, isUniqueViolation, lockByRow, Schema, Sqlite } from '@items/store';
export type {
  CollectionLists,
  IdempotentCreation,
  Queryable,
  RepeatableRequest,
  RowValues,
  SqlValue,
  Transaction,
} from '@items/store';
