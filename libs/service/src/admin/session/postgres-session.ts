import { urlsOf } from '../../data/database/postgres-hosts.js';
import { inShortLocks } from '../../data/database/short-locks.js';
import pg from 'pg';

import { quoted } from '../../data/schema/quoted.js';
import { OperationError } from './operation-error.js';

/** Distinguishes operations' connections from the service's. */
const APPLICATION_NAME = 'items-admin';

/**
 * Opens a connection that has no time-outs and returns every value as text.
 * @param url may name several servers: the writable one is used.
 * @param work receives the URL of the used server.
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
  const urls = urlsOf(url);
  let reason: unknown;
  for (const server of urls) {
    const client = new pg.Client({
      connectionString: server,
      application_name: APPLICATION_NAME,
      connectionTimeoutMillis: 15_000,
      types: { getTypeParser: () => String },
    });
    // Ignore connection errors here, because the running statement reports them.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('SET statement_timeout = 0');
      await client.query('SET idle_in_transaction_session_timeout = 0');
      if (urls.length === 1 || !(await isReadOnly(client))) return { client, server };
      reason = new OperationError('None of the servers of the database accepts writes.');
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

/** @param sql returns a column called `name`. */
export async function namesFrom(client: pg.Client, sql: string, params: unknown[] = []): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(sql, params);
  return rows.map(({ name }) => name);
}

export async function currentSchema(client: pg.Client): Promise<string> {
  const [name] = await namesFrom(client, 'SELECT current_schema() AS name');
  return name ?? 'public';
}

/** @throws {OperationError} the schema has no tables of a service. */
export async function migrationsIn(client: pg.Client, schema: string): Promise<string[]> {
  if (!(await tablesIn(client, schema)).includes('migrations'))
    throw new OperationError('There are no tables of this service in the database.');
  return namesFrom(client, `SELECT name FROM ${quoted(schema)}.migrations ORDER BY timestamp`);
}

export async function tablesIn(client: pg.Client, schema: string): Promise<string[]> {
  return relationsIn(client, schema, 'NOT relispartition');
}

/** Schemas of PostgreSQL and of admin operations. They contain no tables of the team. */
const SYSTEM_SCHEMAS = String.raw`^(?:pg_.*|information_schema|former_\d.*|items_(?:restoring|copying))$`;

export async function tablesElsewhere(client: pg.Client, schema: string): Promise<string[]> {
  const schemas = await namesFrom(
    client,
    'SELECT nspname AS name FROM pg_namespace WHERE nspname <> $1 AND nspname !~ $2 ORDER BY nspname',
    [schema, SYSTEM_SCHEMAS],
  );
  const found: string[] = [];
  for (const name of schemas) found.push(...(await tablesIn(client, name)).map((table) => `${name}.${table}`));
  return found;
}

export async function partitionsIn(client: pg.Client, schema: string): Promise<string[]> {
  return relationsIn(client, schema, 'relispartition');
}

async function relationsIn(client: pg.Client, schema: string, condition: string): Promise<string[]> {
  return namesFrom(
    client,
    `SELECT relname AS name FROM pg_class WHERE relnamespace = to_regnamespace($1) AND relkind IN ('r', 'p') AND ${condition}
       AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
     ORDER BY relname COLLATE "C"`,
    [quoted(schema)],
  );
}

export async function functionsIn(client: pg.Client, schema: string): Promise<string[]> {
  return namesFrom(
    client,
    `SELECT proname AS name FROM pg_proc WHERE pronamespace = to_regnamespace($1) AND prorettype = 'trigger'::regtype
       AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid AND deptype = 'e')
     ORDER BY proname COLLATE "C"`,
    [quoted(schema)],
  );
}

/**
 * Reads rows in batches through a cursor. Needs a transaction.
 * @param sql returns one column of text.
 */
export async function* rowsOf(
  client: pg.Client,
  sql: string,
  batchSize = 500,
): AsyncGenerator<readonly string[], void> {
  await client.query(`DECLARE reading NO SCROLL CURSOR FOR ${sql}`);
  try {
    for (;;) {
      const { rows } = await client.query<string[]>({
        text: `FETCH ${String(batchSize)} FROM reading`,
        rowMode: 'array',
      });
      if (rows.length === 0) return;
      yield rows.map(([row]) => String(row));
    }
  } finally {
    // After an error, the transaction is aborted and CLOSE fails, too: ignore its error.
    await client.query('CLOSE reading').catch(() => undefined);
  }
}

/**
 * Begins a transaction whose snapshot is taken between writes. A snapshot during a write could contain an event, but
 * lack an earlier one. ADR 103
 */
export async function beginSnapshot(client: pg.Client, url: string): Promise<void> {
  const { rows } = await client.query<{ lanes: string | null; deliveries: string | null }>(
    "SELECT to_regclass('collection_lanes') AS lanes, to_regclass('deliveries') AS deliveries",
  );
  const [found] = rows;
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  // Lock `deliveries` before the snapshot. The snapshot's totals count all rows, so no partition may be dropped before
  // its rows are read. LOCK itself takes no snapshot; the next SELECT does.
  if (typeof found?.deliveries === 'string') await client.query('LOCK TABLE ONLY deliveries IN ACCESS SHARE MODE');
  const take = (): Promise<unknown> => client.query('SELECT');
  if (typeof found?.lanes !== 'string') {
    await take();
    return;
  }
  await withPostgres(url, (writers) => inShortLocks(writers, ['LOCK TABLE collection_lanes IN SHARE MODE', take]));
}
