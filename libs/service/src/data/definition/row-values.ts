import type { RowValues, SqlValue } from '../database/database.js';
import { type Column, ROW_COLUMNS } from '../schema/columns.js';
import type { VersionedRow } from '../database/versioned-row.js';

/*
 * Where what every row carries stands among its values: the columns of a collection begin with it. Times are milliseconds
 * since the epoch.
 */
export const ID = placeOf('id');
export const CREATED_AT = placeOf('created_at');
export const UPDATED_AT = placeOf('updated_at');
export const LANE = placeOf('lane');
export const SEQ = placeOf('seq');

/** The row with its values by name. @param columns those of the values, in their order. */
export function namedRow(columns: readonly Column[], values: RowValues): VersionedRow {
  const row: Record<string, SqlValue> = {};
  columns.forEach(({ name }, index) => {
    row[name] = values[index] ?? null;
  });
  return row as VersionedRow;
}

/** The values of some columns of a row, in their order; null where it has none. */
export function valuesIn(row: VersionedRow, columns: readonly string[]): SqlValue[] {
  const values: SqlValue[] = [];
  for (const column of columns) values.push(row[column] ?? null);
  return values;
}

function placeOf(column: string): number {
  return ROW_COLUMNS.findIndex(({ name }) => name === column);
}
