import type { DatabaseConfig } from '../../data/database/database-options.js';
import { Sqlite } from '../../data/sqlite/sqlite.js';

import { planningClient, rowsRemoved, type Asked } from './asked.testing.js';

/** How a table of events is searched without an index for what is requested. */
const WITHOUT_INDEX =
  /^(?:SEARCH|SCAN) (?:audit_)?events (?!USING (?:COVERING )?INDEX (?:audit_)?events_by_|.*\(rowid=\?\))/;

/**
 * How many rows a statement looks at and does not want. SQLite does not count them: there it is Infinity where no index of
 * what is requested is used.
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
