import { existsSync } from 'node:fs';

import type { DatabaseConfig } from '../../data/database/database-options.js';
import { Sqlite } from '../../data/sqlite/sqlite.js';
import type { VersionedRow } from '../../data/database/versioned-row.js';

import { OperationError } from '../session/operation-error.js';
import { openPostgres, rowsOf } from '../session/postgres-session.js';
import type { Transferable } from './transferable.js';
import { sqlName } from '../../data/schema/quoted.js';

const BATCH_ROWS = 500;

/** `count` is the total number in the same snapshot. */
export interface StoredRows {
  readonly rows: readonly VersionedRow[];
  readonly count: number;
}

export function storedRows(
  database: DatabaseConfig,
  { name, columns }: Pick<Transferable, 'name' | 'columns'>,
): AsyncGenerator<StoredRows, void> {
  const rows = `SELECT ${columns.map(sqlName).join(', ')} FROM ${sqlName(name)} ORDER BY created_at, id`;
  const count = `SELECT count(*) AS n FROM ${sqlName(name)}`;
  return database.dialect === 'sqlite'
    ? fromSqlite(database.file, rows, count)
    : fromPostgres(database.url, rows, count);
}

async function* fromSqlite(file: string, sql: string, counting: string): AsyncGenerator<StoredRows, void> {
  if (!existsSync(file)) throw new OperationError(`There is no database at ${file}.`);
  const database = new Sqlite(file, { readonly: true });
  try {
    database.exec('BEGIN');
    const count = database.prepare<[], { n: number }>(counting).get()?.n ?? 0;
    let rows: VersionedRow[] = [];
    for (const row of database.prepare<[], VersionedRow>(sql).iterate()) {
      rows.push(row);
      if (rows.length < BATCH_ROWS) continue;
      yield { rows, count };
      rows = [];
    }
    if (rows.length > 0) yield { rows, count };
  } finally {
    database.close();
  }
}

async function* fromPostgres(url: string, sql: string, counting: string): AsyncGenerator<StoredRows, void> {
  const { client } = await openPostgres(url);
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const counted = await client.query<{ n: string }>(counting);
    const count = Number(counted.rows[0]?.n);
    for await (const texts of rowsOf(client, `SELECT row_to_json(t)::text FROM (${sql}) t`, BATCH_ROWS)) {
      yield { rows: texts.map((text) => JSON.parse(text) as VersionedRow), count };
    }
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}
