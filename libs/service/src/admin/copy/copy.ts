import { existsSync } from 'node:fs';

import type { DatabaseSchema } from '../../data/database/database-options.js';
import type { Sqlite } from '../../data/sqlite/sqlite.js';
import { FIRST_CLOCK, LANES } from '../../data/schema/schema.js';
import { migrateSqlite, sqliteWriter } from '../../data/sqlite/sqlite-source.js';
import { laterMigrations, migrationNames } from '../../data/database/migrations.js';
import type pg from 'pg';

import { contentsInWords } from '../backup/contents.js';
import { migrationsOf, tableNames } from '../backup/sqlite-backup.js';
import { OperationError } from '../session/operation-error.js';
import type { OperationContext } from '../operation.js';
import { tablesIn, withPostgres } from '../session/postgres-session.js';
import { holdAlone } from '../restore/restore-sqlite.js';
import { StagingSchema } from '../restore/staging-schema.js';
import { CopiedTable } from './copied-table.js';
import { copyDown } from './copy-down.js';

/** Differs from that of `restore`: an interrupted copy continues, an interrupted restore starts again. */
const STAGING = 'items_copying';

/**
 * Copies everything from SQLite to a PostgreSQL without tables of the service, or from PostgreSQL to a new SQLite file.
 * An interrupted copy continues. A service sees the tables only when all rows have been compared.
 * @returns a sentence for the operator.
 * @throws {OperationError} the service sees no new tables.
 */
export async function copy(context: OperationContext, to: string): Promise<string> {
  const { database, schema, progress } = context;
  if (database.dialect === 'postgres') {
    const file = /^sqlite:(?:\/\/)?(.+)$/.exec(to)?.[1];
    if (file === undefined || file.includes(':memory:'))
      throw new OperationError(
        'A database of PostgreSQL is copied --to sqlite:<new file>; to another server see backup.',
      );
    return copyDown(database.url, context, file);
  }
  if (!/^postgres(ql)?:\/\/./.test(to))
    throw new OperationError('--to must be postgres://user:password@host:5432/name.');
  const { file } = database;
  await bringUpToDate(file, schema);
  const source = holdAlone(file);
  if (source === undefined) throw new OperationError(`The database ${file} is damaged.`);
  try {
    return await copyTo(source, context, to);
  } finally {
    progress.end();
    source.close();
  }
}

/** @throws {OperationError} the file is missing, in use, or of a later version. */
async function bringUpToDate(file: string, schema: DatabaseSchema): Promise<void> {
  if (!existsSync(file)) throw new OperationError(`There is no database at ${file}.`);
  const source = holdAlone(file);
  if (source === undefined) throw new OperationError(`The database ${file} is damaged.`);
  let later: string | undefined;
  try {
    if (!tableNames(source).includes('migrations'))
      throw new OperationError(`${file} is not a database of this service.`);
    const done = migrationsOf(source);
    [later] = laterMigrations(schema, done);
    if (later === undefined && migrationNames(schema).every((name) => done.includes(name))) return;
  } finally {
    source.close();
  }
  if (later !== undefined)
    throw new OperationError(`The database ${file} was made by a later version of the service (${later}).`);
  const writer = await sqliteWriter(file, schema);
  try {
    await migrateSqlite(writer);
  } finally {
    await writer.destroy();
  }
}

async function copyTo(source: Sqlite, { schema, tell, progress }: OperationContext, to: string): Promise<string> {
  return withPostgres(to, async (client, server) => {
    const staging = await StagingSchema.open(client, server, STAGING, schema.applicationName);
    const own = (await tablesIn(client, staging.home)).filter((table) => tableNames(source).includes(table));
    if (own.length > 0) {
      throw new OperationError(
        `There are tables of the service in ${new URL(server).pathname.slice(1)} already: copy into an empty database.`,
      );
    }
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${staging.name}`);
    await staging.migrate(schema);
    const rows: Record<string, number> = {};
    refuseOthers(tableNames(source), await staging.tables());
    const tables = (await staging.tables()).map((name) => new CopiedTable(name, source, client, staging));
    for (const table of tables) rows[table.name] = await table.fill(tell, progress);
    progress.end();
    tell('Comparing every row …');
    for (const table of tables) await table.verify(progress);
    await addLanes(client, staging);
    await staging.takePlace();
    return `Copied, and compared row by row: ${contentsInWords({ rows })}. Start the service with DATABASE_URL naming the new database; the file stays as it was.`;
  });
}

/** @throws {OperationError} the source has a table that would not be copied. */
function refuseOthers(found: readonly string[], own: readonly string[]): void {
  const other = found.find((table) => table !== 'migrations' && !own.includes(table));
  if (other !== undefined)
    throw new OperationError(`The table ${other} of the file is not the service's: drop it first.`);
}

/** Only PostgreSQL has further lanes. Nothing was written in them, so the feed has no gap. */
async function addLanes(client: pg.Client, staging: StagingSchema): Promise<void> {
  const lanes = staging.table('collection_lanes');
  await client.query(
    `INSERT INTO ${lanes} (collection, lane, seq, n, floor, checkpoint, checkpoint_at, emits, ordered, event_seq)
     SELECT collection, added, ${String(FIRST_CLOCK)}, 0, 0, 0, checkpoint_at, emits, ordered, ${String(FIRST_CLOCK)}
     FROM ${lanes}, generate_series(${String(LANES.sqlite)}, ${String(LANES.postgres - 1)}) AS added`,
  );
}
