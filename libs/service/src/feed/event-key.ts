import type { Dialect } from '../data/schema/dialect.js';
import type { SqlValue } from '../data/database/database.js';

import { idSql, isGap, microsOf } from './event-id.js';

/**
 * The key and the order of the rows of events: the id. SQLite, where no two writes share a stamp,
 * has a number made of the stamp instead: rows are added at the end of the table, and each index is half as large.
 */
export function keyColumn(dialect: Dialect): 'id' | 'place' {
  return dialect === 'sqlite' ? 'place' : 'id';
}

/** The key of an id, whether or not there is an event of it. */
export function keyOf(dialect: Dialect, id: string): SqlValue {
  return dialect === 'sqlite' ? 2 * microsOf(id) + Number(isGap(id)) : id;
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
