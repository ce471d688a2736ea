import type { RowValues } from '../store/database/database.js';
import { type Column, ROW_COLUMNS } from '../store/schema/columns.js';
import type { VersionedRow } from '../store/schema/versioned-row.js';

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
  const row: Record<string, unknown> = {};
  columns.forEach(({ name }, index) => {
    row[name] = values[index];
  });
  return row as unknown as VersionedRow;
}

function placeOf(column: keyof VersionedRow): number {
  return ROW_COLUMNS.findIndex(({ name }) => name === column);
}
