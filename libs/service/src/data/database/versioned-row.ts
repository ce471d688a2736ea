import { type Column, ROW_COLUMNS } from '../schema/columns.js';
import type { RowValues, SqlValue } from './database.js';

/** A row of a collection. `lane` and `seq` are the stamp of its last write: see lists/README.md. */
export interface VersionedRow {
  /** UUIDv7, ascending in the order of creation. */
  readonly id: string;
  /** Milliseconds since the epoch, equal to the time in a generated id. */
  readonly created_at: number;
  readonly updated_at: number;
  readonly lane: number;
  readonly seq: number;
  readonly [column: string]: SqlValue;
}

/* Column indexes: every row begins with these columns. Times are milliseconds since the epoch. */
export const ID = indexOfColumn('id');
export const CREATED_AT = indexOfColumn('created_at');
export const UPDATED_AT = indexOfColumn('updated_at');
export const LANE = indexOfColumn('lane');
export const SEQ = indexOfColumn('seq');

export function namedRow(columns: readonly Column[], values: RowValues): VersionedRow {
  const row: Record<string, SqlValue> = {};
  columns.forEach(({ name }, index) => {
    row[name] = values[index] ?? null;
  });
  return row as VersionedRow;
}

export function valuesIn(row: VersionedRow, columns: readonly string[]): SqlValue[] {
  const values: SqlValue[] = [];
  for (const column of columns) values.push(row[column] ?? null);
  return values;
}

function indexOfColumn(column: string): number {
  return ROW_COLUMNS.findIndex(({ name }) => name === column);
}
