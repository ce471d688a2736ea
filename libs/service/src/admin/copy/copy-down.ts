import { chmodSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import type { DatabaseSchema } from '../../data/database/database-options.js';
import type { Sqlite } from '../../data/sqlite/sqlite.js';
import { migrateSqlite, sqliteWriter } from '../../data/sqlite/sqlite-source.js';
import { laterMigrations, migrationNames } from '../../data/database/migrations.js';
import type pg from 'pg';

import { contentsInWords } from '../backup/contents.js';
import { sync } from '../backup/new-file.js';
import { quoted } from '../../data/schema/quoted.js';
import { tableNames } from '../backup/sqlite-backup.js';
import { OperationError } from '../session/operation-error.js';
import type { OperationContext } from '../operation.js';
import { currentSchema, tablesIn, withPostgres } from '../session/postgres-session.js';
import { beginSnapshot } from '../session/postgres-snapshot.js';
import { holdAlone } from '../restore/restore-sqlite.js';
import { CopiedDownTable } from './copied-down-table.js';
import { RowSources } from './row-sources.js';

/** Owner only: the file contains every secret of the service. */
const MODE = 0o600;
/** Copied last: the clocks must be later than all copied rows. */
const CLOCKS = 'collection_lanes';

/**
 * Copies a snapshot from PostgreSQL to a new file of SQLite; the service may run. An interrupted copy continues: the
 * file gets its name when all rows have been compared.
 * @returns a sentence for the operator.
 * @throws {OperationError} there is no new file.
 */
export async function copyDown(url: string, context: OperationContext, file: string): Promise<string> {
  const { schema, progress } = context;
  if (existsSync(file)) throw new OperationError(`There is a file ${file} already: give the copy another name.`);
  const copying = `${file}.copying`;
  mkdirSync(dirname(resolve(file)), { recursive: true });
  const rows = await withPostgres(url, async (client, server) => {
    await beginSnapshot(client, server);
    const home = await currentSchema(client);
    await refuseOthers(client, home, schema);
    const target = await opened(copying, schema);
    try {
      return await copyRows(client, home, target, context);
    } finally {
      progress.end();
      target.close();
    }
  });
  sync(copying);
  renameSync(copying, file);
  sync(dirname(resolve(file)));
  return `Copied, and compared row by row: ${contentsInWords({ rows })}. Start the service with DATABASE_URL=sqlite:${file}; open cursors and entity tags end with the move. Its webhooks are in the copy, and are sent to.`;
}

async function opened(copying: string, schema: DatabaseSchema): Promise<Sqlite> {
  const writer = await sqliteWriter(copying, schema);
  try {
    chmodSync(copying, MODE);
    await migrateSqlite(writer);
  } finally {
    await writer.destroy();
  }
  const target = holdAlone(copying);
  if (target === undefined) throw new OperationError(`The file ${copying} is damaged: delete it.`);
  // Remains of a killed process are complete; after a power failure they are compared.
  target.pragma('synchronous = OFF');
  return target;
}

/** @throws {OperationError} the database is of another version, or not of this service. */
async function refuseOthers(client: pg.Client, home: string, schema: DatabaseSchema): Promise<void> {
  if (!(await tablesIn(client, home)).includes('migrations'))
    throw new OperationError('There are no tables of this service in the database.');
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${quoted(home)}.migrations`);
  const done = rows.map(({ name }) => name);
  const isComplete = migrationNames(schema).every((name) => done.includes(name));
  if (isComplete && laterMigrations(schema, done).length === 0) return;
  throw new OperationError('The database is of another version of the service: use the command of that version.');
}

async function copyRows(
  client: pg.Client,
  home: string,
  target: Sqlite,
  { tell, progress }: OperationContext,
): Promise<Record<string, number>> {
  const sources = new RowSources(client, home);
  const own = tableNames(target).filter((name) => name !== 'migrations');
  const other = (await tablesIn(client, home)).find((name) => name !== 'migrations' && !own.includes(name));
  if (other !== undefined)
    throw new OperationError(`The table ${other} of the database is not the service's: drop it first.`);
  const tables: CopiedDownTable[] = [];
  for (const name of own) tables.push(new CopiedDownTable(name, target, sources, await textsOf(client, home, name)));
  const rank = ({ name, isFeed }: CopiedDownTable): number => (isFeed ? 0 : name === CLOCKS ? 2 : 1);
  tables.sort((a, b) => rank(a) - rank(b));
  const rows: Record<string, number> = {};
  for (const table of tables) rows[table.name] = await table.fill(tell, progress);
  tell('Comparing every row …');
  for (const table of tables) await table.verify(progress);
  return rows;
}

/** The default order of these columns depends on a collation. */
async function textsOf(client: pg.Client, home: string, table: string): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = $1 AND table_name = $2 AND data_type IN ('text', 'character varying')`,
    [home, table],
  );
  return new Set(rows.map(({ name }) => name));
}
