import type { Dialect } from '../data/schema/dialect.js';
import type { StampedWrite } from '../data/definition/stamp-terms.js';
import type { SqlValue } from '../data/database/database.js';

import type { Parameters } from '../data/lists/page-statement.js';
import { idSql, isGap, microsOf } from './event-id.js';

/**
 * Returns the primary key. It defines the order of events. On SQLite, each write has its own stamp, and the key `place`
 * is a number made of the stamp: rows are appended to the table, and each index is half as large.
 */
export function keyColumn(dialect: Dialect): 'id' | 'place' {
  return dialect === 'sqlite' ? 'place' : 'id';
}

/**
 * On SQLite, the `place` of a row exceeds `keyOf(id)` by at most this number: 50 ms, at two places per microsecond.
 * Parallel writes on PostgreSQL may have the same time. Copied to SQLite, their events get consecutive places and
 * retain their ids.
 */
export const MAX_SHIFT = 100_000;

/**
 * Computes the key of an id. The event need not exist. On SQLite, the key is the lowest possible `place`: a row copied
 * from PostgreSQL may have a `place` up to {@link MAX_SHIFT} higher.
 */
export function keyOf(dialect: Dialect, id: string): SqlValue {
  return dialect === 'sqlite' ? 2 * microsOf(id) + Number(isGap(id)) : id;
}

export function isAfter(dialect: Dialect, id: string, params: Parameters): string {
  if (dialect === 'postgres') return `id > ${params.add(id)}`;
  return `place > ${params.add(keyOf(dialect, id))} AND id > ${params.add(id)}`;
}

export function isUpTo(dialect: Dialect, id: string, operator: '<=' | '<', params: Parameters): string {
  if (dialect === 'postgres') return `id ${operator} ${params.add(id)}`;
  return `place <= ${params.add(lastPlaceOf(id))} AND id ${operator} ${params.add(id)}`;
}

export function isRowOf(dialect: Dialect, id: string, params: Parameters): string {
  if (dialect === 'postgres') return `id = ${params.add(id)}`;
  const range = `${params.add(keyOf(dialect, id))} AND ${params.add(lastPlaceOf(id))}`;
  return `place BETWEEN ${range} AND id = ${params.add(id)}`;
}

function lastPlaceOf(id: string): number {
  return Number(keyOf('sqlite', id)) + MAX_SHIFT;
}

/** On SQLite, `place` is twice the stamp, plus one for a gap. */
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

/**
 * Returns the SQL that inserts an event. The first value is the tail of the id.
 * @param columns Columns of the other values.
 */
export function insertEvent(dialect: Dialect, table: string, columns: string): StampedWrite['text'] {
  return ([tail = '', ...placeholders], stamp) => {
    const identity = identitySql(dialect, stamp.seq, tail, 'event');
    return `INSERT INTO ${table} (${identity.columns}, ${columns}) ${stamp.row([identity.values, ...placeholders])}`;
  };
}
