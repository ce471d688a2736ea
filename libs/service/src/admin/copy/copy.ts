import { existsSync } from 'node:fs';

import type pg from 'pg';

import type { DatabaseConfig, DatabaseSchema } from '../../data/database/database-options.js';
import { laterMigrations, migrationNames } from '../../data/database/migrations.js';
import { migrateDatabase } from '../../data/opening/open-database.js';
import { NO_LOG } from '../../data/outages/store-log.js';
import { quoted } from '../../data/schema/quoted.js';
import { FIRST_CLOCK, LANES } from '../../data/schema/schema.js';
import type { Sqlite } from '../../data/sqlite/sqlite.js';
import type { BackupRow } from '../backup/postgres-backup.js';
import { formatContents } from '../backup/contents.js';
import type { OperationContext } from '../operation.js';
import { StagingSchema } from '../restore/staging-schema.js';
import { OperationError } from '../session/operation-error.js';
import { rowsOf, tablesIn, withPostgres } from '../session/postgres-session.js';
import { holdAlone, migrationsOf, tableNames } from '../session/sqlite-session.js';
import { CopiedTable, type Row, sqliteOrder } from './copied-table.js';
import { copyDown } from './copy-down.js';

/** A restore drops its own schema at the start. An interrupted copy must continue, so it has another schema. */
const STAGING = 'items_copying';

/**
 * Copies all data from SQLite to a PostgreSQL database without tables of the service, or from PostgreSQL to a new
 * SQLite file. An interrupted copy continues. A service sees the tables only after all rows have been compared.
 * @throws {OperationError} the copy failed, and a service sees no new tables.
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
  await bringUpToDate(database, schema);
  const source = hold(database.file);
  try {
    return await copyTo(source, context, to);
  } finally {
    progress.end();
    source.close();
  }
}

/** @throws {OperationError} the file is missing, in use, or of a later version. */
async function bringUpToDate(
  database: Extract<DatabaseConfig, { dialect: 'sqlite' }>,
  schema: DatabaseSchema,
): Promise<void> {
  const { file } = database;
  if (!existsSync(file)) throw new OperationError(`There is no database at ${file}.`);
  const source = hold(file);
  try {
    if (!tableNames(source).includes('migrations'))
      throw new OperationError(`${file} is not a database of this service.`);
    const done = migrationsOf(source);
    const [later] = laterMigrations(schema, done);
    if (later !== undefined)
      throw new OperationError(`The database ${file} was made by a later version of the service (${later}).`);
    if (migrationNames(schema).every((name) => done.includes(name))) return;
  } finally {
    source.close();
  }
  await migrateDatabase(database, schema, NO_LOG);
}

function hold(file: string): Sqlite {
  const source = holdAlone(file);
  if (source === undefined) throw new OperationError(`The database ${file} is damaged.`);
  return source;
}

async function copyTo(source: Sqlite, { schema, print, progress }: OperationContext, to: string): Promise<string> {
  return withPostgres(to, async (client, server) => {
    const staging = await StagingSchema.open(client, server, STAGING, schema.applicationName);
    const found = tableNames(source);
    if ((await tablesIn(client, staging.home)).some((table) => found.includes(table))) {
      throw new OperationError(
        `There are tables of the service in ${new URL(server).pathname.slice(1)} already: copy into an empty database.`,
      );
    }
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${staging.name}`);
    await staging.migrate(schema);
    const serviceTables = await staging.tables();
    const other = found.find((table) => table !== 'migrations' && !serviceTables.includes(table));
    if (other !== undefined)
      throw new OperationError(`The table ${other} of the file is not the service's: drop it first.`);
    const tables = serviceTables.map((name) => new TableInPostgres(name, source, client, staging));
    const rows: Record<string, number> = {};
    for (const table of tables) rows[table.name] = await table.fill({ print, progress });
    print('Comparing every row …');
    for (const table of tables) await table.verify(progress);
    await addLanes(client, staging);
    await staging.swapTables();
    return `Copied, and compared row by row: ${formatContents({ rows })}. Start the service with DATABASE_URL naming the new database; the file stays as it was.`;
  });
}

class TableInPostgres extends CopiedTable {
  constructor(
    name: string,
    file: Sqlite,
    private readonly client: pg.Client,
    private readonly staging: StagingSchema,
  ) {
    super(name, file);
  }

  protected source(): Iterable<Row> {
    const [columns, order] = [this.columns, this.order].map((names) => names.map(quoted).join(', '));
    const sql = `SELECT ${String(columns)} FROM ${quoted(this.name)} ORDER BY ${String(order)}`;
    return this.file.prepare<[], Row>(sql).iterate();
  }

  protected async *target(): AsyncGenerator<Row> {
    const { client, staging, name } = this;
    const order = await sqliteOrder(client, staging.name, name, this.order);
    await client.query('BEGIN');
    try {
      const sql = `SELECT row_to_json(t)::text FROM ${staging.table(name)} t ORDER BY ${order.join(', ')}`;
      for await (const batch of rowsOf(client, sql)) for (const text of batch) yield JSON.parse(text) as Row;
    } finally {
      await client.query('ROLLBACK');
    }
  }

  protected clear(): Promise<unknown> {
    return this.client.query(`TRUNCATE ${this.staging.table(this.name)}`);
  }

  protected async insert(rows: AsyncIterable<Row>): Promise<void> {
    const { name } = this;
    async function* backupRows(): AsyncGenerator<BackupRow> {
      for await (const row of rows) yield { table: name, row: JSON.stringify(row) };
    }
    await this.staging.add(backupRows());
  }

  protected size(): number {
    const sql = `SELECT count(*) AS n FROM ${quoted(this.name)}`;
    return this.file.prepare<[], { n: number }>(sql).get()?.n ?? 0;
  }
}

/**
 * Adds the lanes (clocks of concurrent writers) that SQLite lacks. The new lanes have no writes, so the feed has no
 * gap.
 */
async function addLanes(client: pg.Client, staging: StagingSchema): Promise<void> {
  const lanes = staging.table('collection_lanes');
  await client.query(
    `INSERT INTO ${lanes} (collection, lane, seq, n, floor, checkpoint, checkpoint_at, emits, ordered, event_seq)
     SELECT collection, added, ${String(FIRST_CLOCK)}, 0, 0, 0, checkpoint_at, emits, ordered, ${String(FIRST_CLOCK)}
     FROM ${lanes}, generate_series(${String(LANES.sqlite)}, ${String(LANES.postgres - 1)}) AS added`,
  );
}
