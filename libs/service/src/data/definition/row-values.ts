import type { RowValues, SqlValue } from '../database/database.js';
import { type Column, ROW_COLUMNS } from '../schema/columns.js';
import type { VersionedRow } from '../database/versioned-row.js';

/* Indexes of the columns with which every row begins. Times are milliseconds since the epoch. */
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
