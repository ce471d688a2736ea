import type { RowValues } from '@items/store';
import { type Column, ROW_COLUMNS, type VersionedRow } from '@items/store/parts';

/** Where what every row carries stands among its values: the columns of a collection begin with it. */
const ID = placeOf('id');
const CREATED_AT = placeOf('created_at');
const UPDATED_AT = placeOf('updated_at');
const LANE = placeOf('lane');
const SEQ = placeOf('seq');

export function idOf(row: RowValues): string {
  return row[ID] as string;
}

/** In milliseconds since the epoch. */
export function createdAtOf(row: RowValues): number {
  return row[CREATED_AT] as number;
}

/** In milliseconds since the epoch. */
export function updatedAtOf(row: RowValues): number {
  return row[UPDATED_AT] as number;
}

export function laneOf(row: RowValues): number {
  return row[LANE] as number;
}

export function seqOf(row: RowValues): number {
  return row[SEQ] as number;
}

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
