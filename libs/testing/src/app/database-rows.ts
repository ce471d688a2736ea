import { Client } from 'pg';

import { nodeSqlite } from './open-sqlite-file.js';

/** Returns every row of every table as a line of JSON, after the name of its table. @param url as in `DATABASE_URL`. */
export async function databaseRows(url: string): Promise<readonly string[]> {
  return url.startsWith('sqlite:') ? sqliteRows(url.replace('sqlite:', '')) : postgresRows(url);
}

function sqliteRows(file: string): string[] {
  const { DatabaseSync } = nodeSqlite();
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    return tables
      .map(({ name }) => String(name))
      .flatMap((name) =>
        database
          .prepare(`SELECT * FROM "${name}"`)
          .all()
          .map((row) => `${name} ${JSON.stringify(row)}`),
      );
  } finally {
    database.close();
  }
}

async function postgresRows(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const named =
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition";
    const { rows: tables } = await client.query<{ name: string }>(named);
    const lines: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM "${name}" t`);
      lines.push(...rows.map(({ row }) => `${name} ${row}`));
    }
    return lines;
  } finally {
    await client.end();
  }
}
