import type { Dialect } from '../../data/schema/dialect.js';
import { isRowId } from '../../data/schema/row-id.js';
import type { Queryable } from '../../data/database/database.js';
import { sqlName } from '../../data/schema/quoted.js';

/** A list as one JSON parameter, so that the statement is the same for any length. */
const LISTED: Readonly<Record<Dialect, (type: string) => string>> = {
  sqlite: () => 'SELECT value FROM json_each($1)',
  postgres: (type) => `SELECT value::${type} FROM json_array_elements_text(CAST($1 AS json))`,
};

/** @param ids malformed ones match nothing. */
export async function rowsById<Row>(
  database: Queryable,
  dialect: Dialect,
  table: string,
  columns: readonly string[],
  ids: readonly string[],
): Promise<Row[]> {
  return rowsWith(
    database,
    `SELECT ${columns.map(sqlName).join(', ')} FROM ${sqlName(table)} WHERE id IN (${LISTED[dialect]('uuid')})`,
    [...new Set(ids.filter(isRowId))],
  );
}

export async function rowsByText<Row>(
  database: Queryable,
  dialect: Dialect,
  table: string,
  column: string,
  texts: readonly string[],
): Promise<Row[]> {
  return rowsWith(
    database,
    `SELECT id, ${column} FROM ${table} WHERE ${column} IN (${LISTED[dialect]('text')})`,
    texts,
  );
}

async function rowsWith<Row>(database: Queryable, sql: string, values: readonly string[]): Promise<Row[]> {
  return values.length === 0 ? [] : database.query<Row>(sql, [JSON.stringify(values)]);
}
