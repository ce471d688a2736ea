import { urlsOf } from '../../data/database/postgres-hosts.js';
import pg from 'pg';

import { quoted } from '../../data/schema/quoted.js';
import { OperationError } from './operation-error.js';

/** Distinguishes the connections of operations from those of the service. */
const APPLICATION_NAME = 'items-admin';

/**
 * Opens a connection without time-outs, on which every value is text.
 * @param url may name several servers: the writable one is used.
 * @param work receives the URL of its server.
 */
export async function withPostgres<T>(url: string, work: (client: pg.Client, url: string) => Promise<T>): Promise<T> {
  const { client, server } = await openPostgres(url);
  try {
    return await work(client, server);
  } finally {
    await client.end();
  }
}

export async function openPostgres(url: string): Promise<{ client: pg.Client; server: string }> {
  const [client, server] = await connected(url);
  await client.query('SET statement_timeout = 0');
  await client.query('SET idle_in_transaction_session_timeout = 0');
  return { client, server };
}

async function connected(url: string): Promise<[pg.Client, string]> {
  const urls = urlsOf(url);
  let reason: unknown;
  for (const connectionString of urls) {
    const client = new pg.Client({
      connectionString,
      application_name: APPLICATION_NAME,
      connectionTimeoutMillis: 15_000,
      types: { getTypeParser: () => String },
    });
    // The statement fails too, and reports the error.
    client.on('error', () => undefined);
    try {
      await client.connect();
      if (urls.length === 1 || !(await isReadOnly(client))) return [client, connectionString];
      reason = new OperationError('None of the servers of the database can be written to.');
    } catch (error) {
      reason = error;
    }
    await client.end().catch(() => undefined);
  }
  throw reason;
}

async function isReadOnly(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
  return rows[0]?.transaction_read_only === 'on';
}

export async function currentSchema(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string | null }>('SELECT current_schema() AS name');
  return rows[0]?.name ?? 'public';
}

export async function tablesIn(client: pg.Client, schema: string): Promise<string[]> {
  return relationsIn(client, schema, 'NOT relispartition');
}

/** Schemas of PostgreSQL itself, and those that operations make. */
const NOT_OF_A_TEAM = String.raw`^(?:pg_.*|information_schema|former_\d.*|items_(?:restoring|copying))$`;

export async function tablesElsewhere(client: pg.Client, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT nspname AS name FROM pg_namespace WHERE nspname <> $1 AND nspname !~ $2 ORDER BY nspname',
    [schema, NOT_OF_A_TEAM],
  );
  const found: string[] = [];
  for (const { name } of rows) found.push(...(await tablesIn(client, name)).map((table) => `${name}.${table}`));
  return found;
}

export async function partitionsIn(client: pg.Client, schema: string): Promise<string[]> {
  return relationsIn(client, schema, 'relispartition');
}

async function relationsIn(client: pg.Client, schema: string, condition: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = to_regnamespace($1) AND relkind IN ('r', 'p') AND ${condition}
       AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
     ORDER BY relname COLLATE "C"`,
    [quoted(schema)],
  );
  return rows.map(({ name }) => name);
}

export async function functionsIn(client: pg.Client, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT proname AS name FROM pg_proc WHERE pronamespace = to_regnamespace($1) AND prorettype = 'trigger'::regtype
       AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid AND deptype = 'e')
     ORDER BY proname COLLATE "C"`,
    [quoted(schema)],
  );
  return rows.map(({ name }) => name);
}

/**
 * Reads rows in batches, formatted as JSON by the server. Needs a transaction.
 * @param sql returns one column of text.
 */
export async function* rowsOf(client: pg.Client, sql: string, atOnce = 500): AsyncGenerator<readonly string[], void> {
  await client.query(`DECLARE reading NO SCROLL CURSOR FOR ${sql}`);
  for (;;) {
    const { rows } = await client.query<string[]>({ text: `FETCH ${String(atOnce)} FROM reading`, rowMode: 'array' });
    if (rows.length === 0) break;
    yield rows.map(([row]) => String(row));
  }
  await client.query('CLOSE reading');
}
