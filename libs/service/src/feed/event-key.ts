import type { Dialect } from '../data/schema/dialect.js';
import type { SqlValue } from '../data/database/database.js';

import type { Parameters } from '../data/lists/page-statement.js';
import { idSql, isGap, microsOf } from './event-id.js';

/**
 * The key and the order of the rows of events: the id. SQLite, where no two writes share a stamp,
 * has a number made of the stamp instead: rows are added at the end of the table, and each index is half as large.
 */
export function keyColumn(dialect: Dialect): 'id' | 'place' {
  return dialect === 'sqlite' ? 'place' : 'id';
}

/**
 * Longest distance between the key of an id and the place of its row on SQLite: 50 ms. Rows of PostgreSQL that share a
 * stamp are next to each other in a copy, and keep their ids.
 */
export const MAX_SHIFT = 100_000;

/** The key of an id, whether or not there is an event of it. The place of its row may be up to {@link MAX_SHIFT} behind. */
export function keyOf(dialect: Dialect, id: string): SqlValue {
  return dialect === 'sqlite' ? 2 * microsOf(id) + Number(isGap(id)) : id;
}

/** A condition: rows behind an id, in the order of the ids. */
export function isAfter(dialect: Dialect, id: string, params: Parameters): string {
  if (dialect === 'postgres') return `id > ${params.add(id)}`;
  return `place > ${params.add(keyOf(dialect, id))} AND id > ${params.add(id)}`;
}

/** A condition: rows up to an id, or before it. */
export function isUpTo(dialect: Dialect, id: string, operator: '<=' | '<', params: Parameters): string {
  if (dialect === 'postgres') return `id ${operator} ${params.add(id)}`;
  return `place <= ${params.add(lastPlaceOf(id))} AND id ${operator} ${params.add(id)}`;
}

/** A condition: the row of an id. */
export function isRowOf(dialect: Dialect, id: string, params: Parameters): string {
  if (dialect === 'postgres') return `id = ${params.add(id)}`;
  const range = `${params.add(keyOf(dialect, id))} AND ${params.add(lastPlaceOf(id))}`;
  return `place BETWEEN ${range} AND id = ${params.add(id)}`;
}

function lastPlaceOf(id: string): number {
  return Number(keyOf('sqlite', id)) + MAX_SHIFT;
}

/**
 * What a new row is known by.
 * @param seq an expression: its stamp. @param tail an expression: what `randomTail` gave.
 */
export function identitySql(
  dialect: Dialect,
  seq: string,
  tail: string,
  of: 'event' | 'gap',
): { readonly columns: string; readonly values: string } {
  const id = idSql(dialect, seq, tail);
  if (dialect === 'postgres') return { columns: 'id', values: id };
  return { columns: 'place, id', values: `2 * ${seq} + ${of === 'gap' ? '1' : '0'}, ${id}` };
}
