import type { DatabaseConfig } from '../../data/database/database-options.js';
import type { SqlValue } from '../../data/database/database.js';
import { Sqlite } from '../../data/sqlite/sqlite.js';
import pg from 'pg';

import { SETTINGS } from '../../data/testing/postgres-plans.testing.js';

/** A statement with the values of its parameters. */
export interface Asked {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

interface PlanNode {
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** How a table of events is searched without an index for what is requested. */
const WITHOUT_INDEX =
  /^(?:SEARCH|SCAN) (?:audit_)?events (?!USING (?:COVERING )?INDEX (?:audit_)?events_by_|.*\(rowid=\?\))/;

/**
 * How many rows a statement looks at and does not want. SQLite does not count them: there it is Infinity where no index of
 * what is requested is used.
 */
export async function siftedRows(config: DatabaseConfig, { sql, params }: Asked): Promise<number> {
  return config.dialect === 'sqlite' ? inSqlite(config.file, sql) : inPostgres(config.url, sql, params);
}

function inSqlite(file: string, sql: string): number {
  const connection = new Sqlite(file, { readonly: true });
  const plan = connection.prepare<readonly [], { detail: string }>(`EXPLAIN QUERY PLAN ${sql.replace(/\$\d+/g, '+?')}`);
  const isSifted = plan.all().some(({ detail }) => WITHOUT_INDEX.test(detail));
  connection.close();
  return isSifted ? Infinity : 0;
}

async function inPostgres(url: string, sql: string, params: readonly SqlValue[]): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(SETTINGS);
    await client.query(`PREPARE planned AS ${sql}`);
    const values = params.map((value) => client.escapeLiteral(String(value))).join(', ');
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE planned${values === '' ? '' : `(${values})`}`,
    );
    return rows.reduce((sum, row) => sum + removedIn(row['QUERY PLAN'][0].Plan), 0);
  } finally {
    await client.end();
  }
}

function removedIn({
  Plans: children = [],
  'Rows Removed by Filter': removed = 0,
  'Actual Loops': loops,
}: PlanNode): number {
  return children.reduce((sum, child) => sum + removedIn(child), removed * loops);
}
