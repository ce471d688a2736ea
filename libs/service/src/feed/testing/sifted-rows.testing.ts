import type { DatabaseConfig } from '../../data/database/database-options.js';
import { Sqlite } from '../../data/sqlite/sqlite.js';

import { planningClient, rowsRemoved, type Asked } from './asked.testing.js';

/** Matches steps of a plan that search events without a suitable index. */
const WITHOUT_INDEX =
  /^(?:SEARCH|SCAN) (?:audit_)?events (?!USING (?:COVERING )?INDEX (?:audit_)?events_by_|.*\(rowid=\?\))/;

/**
 * Counts the rows that a statement reads and rejects. SQLite does not count them, so a statement without a suitable
 * index has Infinity there.
 */
export async function siftedRows(config: DatabaseConfig, asked: Asked): Promise<number> {
  return config.dialect === 'sqlite' ? inSqlite(config.file, asked.sql) : inPostgres(config.url, asked);
}

function inSqlite(file: string, sql: string): number {
  const connection = new Sqlite(file, { readonly: true });
  const plan = connection.prepare<readonly [], { detail: string }>(`EXPLAIN QUERY PLAN ${sql.replace(/\$\d+/g, '+?')}`);
  const isSifted = plan.all().some(({ detail }) => WITHOUT_INDEX.test(detail));
  connection.close();
  return isSifted ? Infinity : 0;
}

async function inPostgres(url: string, asked: Asked): Promise<number> {
  const client = await planningClient(url);
  try {
    return await rowsRemoved(client, asked);
  } finally {
    await client.end();
  }
}
