export { by, Database, isUniqueViolation, lockByRow, Schema } from '@items/store';
export type {
  CollectionLists,
  IdempotentCreation,
  Queryable,
  RepeatableRequest,
  RowValues,
  SqlValue,
  Transaction,
} from '@items/store';
