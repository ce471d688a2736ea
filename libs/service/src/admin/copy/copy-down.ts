import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import type pg from 'pg';

import type { DatabaseSchema } from '../../data/database/database-options.js';
import { laterMigrations, migrationNames } from '../../data/database/migrations.js';
import { quoted } from '../../data/schema/quoted.js';
import type { Sqlite } from '../../data/sqlite/sqlite.js';
import { formatContents } from '../backup/contents.js';
import { sync } from '../backup/new-file.js';
import type { OperationContext } from '../operation.js';
import { OperationError } from '../session/operation-error.js';
import { beginSnapshot, currentSchema, migrationsIn, tablesIn, withPostgres } from '../session/postgres-session.js';
import { holdAlone, tableNames, withMigratedSqlite } from '../session/sqlite-session.js';
import { CopiedTable, type Row } from './copied-table.js';
import { COPIED_SETTINGS, RowSources } from './row-sources.js';

/** Only the owner may read the file: it contains every secret of the service. */
const MODE = 0o600;
/** Table of clocks, copied after the feeds: see {@link RowSources.rows}. */
const CLOCKS = 'collection_lanes';

/**
 * Copies a snapshot from PostgreSQL to a new SQLite file; the service may be running. An interrupted copy continues.
 * The file gets its name after all rows have been compared.
 * @throws {OperationError} the copy failed, and there is no new file.
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
  return `Copied, and compared row by row: ${formatContents({ rows })}. Start the service with DATABASE_URL=sqlite:${file}; open cursors and entity tags end with the move. The copy contains the webhooks, so its service sends to them.`;
}

async function opened(copying: string, schema: DatabaseSchema): Promise<Sqlite> {
  writeFileSync(copying, '', { flag: 'a', mode: MODE });
  // `mode` above has no effect on an existing file.
  chmodSync(copying, MODE);
  await withMigratedSqlite(copying, schema, () => undefined);
  const target = holdAlone(copying);
  if (target === undefined) throw new OperationError(`The file ${copying} is damaged: delete it.`);
  // Skip fsync: a killed process loses no write. After a power failure, the next run compares the rows.
  target.pragma('synchronous = OFF');
  return target;
}

/** @throws {OperationError} the database is of another version, or not of this service. */
async function refuseOthers(client: pg.Client, home: string, schema: DatabaseSchema): Promise<void> {
  const done = await migrationsIn(client, home);
  const isComplete = migrationNames(schema).every((name) => done.includes(name));
  if (isComplete && laterMigrations(schema, done).length === 0) return;
  throw new OperationError('The database is of another version of the service: use the command of that version.');
}

async function copyRows(
  client: pg.Client,
  home: string,
  target: Sqlite,
  { print, progress }: OperationContext,
): Promise<Record<string, number>> {
  const sources = new RowSources(client, home);
  const serviceTables = tableNames(target).filter((name) => name !== 'migrations');
  const other = (await tablesIn(client, home)).find((name) => name !== 'migrations' && !serviceTables.includes(name));
  if (other !== undefined)
    throw new OperationError(`The table ${other} of the database is not the service's: drop it first.`);
  const tables = serviceTables.map((name) => new TableInSqlite(name, target, sources));
  const rank = ({ name, isFeed }: CopiedTable): number => (isFeed ? 0 : name === CLOCKS ? 2 : 1);
  tables.sort((a, b) => rank(a) - rank(b));
  const rows: Record<string, number> = {};
  for (const table of tables) rows[table.name] = await table.fill({ print, progress });
  print('Comparing every row …');
  for (const table of tables) await table.verify(progress);
  return rows;
}

const BATCH_ROWS = 2000;

class TableInSqlite extends CopiedTable {
  private readonly isOmitted: boolean;
  private readonly where: string;

  constructor(
    name: string,
    file: Sqlite,
    private readonly sources: RowSources,
  ) {
    super(name, file);
    this.isOmitted = sources.isOmitted(this.columns, name);
    this.where = name === 'settings' ? `WHERE ${COPIED_SETTINGS}` : '';
  }

  protected source(): AsyncIterable<Row> | Iterable<Row> {
    return this.isOmitted ? [] : this.sources.rows(this.name, this.columns, this.order, this.isFeed);
  }

  protected target(): Iterator<Row> {
    if (this.isOmitted) return [].values();
    const order = this.isFeed ? 'place' : this.order.map(quoted).join(', ');
    const columns = this.all.map(quoted).join(', ');
    const sql = `SELECT ${columns} FROM ${quoted(this.name)} ${this.where} ORDER BY ${order}`;
    return this.file.prepare<[], Row>(sql).iterate();
  }

  protected clear(): void {
    this.file.exec(`DELETE FROM ${quoted(this.name)} ${this.where}`);
  }

  protected async insert(rows: AsyncIterable<Row>): Promise<void> {
    const names = this.all.map(quoted).join(', ');
    const places = this.all.map(() => '?').join(', ');
    const insert = this.file.prepare<unknown[]>(`INSERT INTO ${quoted(this.name)} (${names}) VALUES (${places})`);
    let count = 0;
    this.file.exec('BEGIN');
    for await (const row of rows) {
      insert.run(...this.all.map((column) => row[column] ?? null));
      count += 1;
      if (count % BATCH_ROWS === 0) this.file.exec('COMMIT; BEGIN');
    }
    this.file.exec('COMMIT');
  }

  protected size(): undefined {
    return undefined;
  }
}
