import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';

import type { DatabaseSchema } from '../../data/database/database-options.js';
import { quoted } from '../../data/schema/quoted.js';
import type { Sqlite } from '../../data/sqlite/sqlite.js';

import { isSqliteDamage, OperationError } from '../session/operation-error.js';
import { migrationsOf, tableNames, withSqlite } from '../session/sqlite-session.js';
import { type Contents, type TeamTables, refuseEmpty, serviceTables } from './contents.js';

/** A table that only backups have. Contains the backup's time, and the SHA-256 of all definitions and rows. */
export const MANIFEST = 'backup_manifest';
const OURS = ['migrations', 'collection_lanes', 'settings'];

/** Copies a snapshot of a database without blocking its writers. @param to an empty file. */
export async function backUpSqlite(
  from: string,
  to: string,
  schema: DatabaseSchema,
  teamTables: TeamTables,
): Promise<void> {
  if (!existsSync(from)) throw new OperationError(`There is no database at ${from}.`);
  // The driver's `backup()` restarts after each write of another process. On a busy service, it would never end.
  await withSqlite(from, { readonly: true }, (database) => database.prepare('VACUUM INTO ?').run(to));
  const migrations = await withSqlite(to, { readonly: true }, migrationsOf);
  const ours = await serviceTables(schema, migrations);
  await withSqlite(to, {}, (database) => {
    const others = tableNames(database).filter((table) => !ours.has(table) && table !== 'migrations');
    const missing = teamTables.include.find((table) => !others.includes(table));
    if (missing !== undefined)
      throw new OperationError(`The database has no table "${missing}" besides those of the service.`);
    if (teamTables.onlyService) database.exec(others.map((table) => `DROP TABLE ${quoted(table)};`).join('\n'));
    database.exec(`CREATE TABLE ${MANIFEST} (made_at text NOT NULL, sha256 text NOT NULL)`);
    const { sha256 } = digest(database);
    database.prepare(`INSERT INTO ${MANIFEST} VALUES (?, ?)`).run(new Date().toISOString(), sha256);
  });
}

/**
 * Verifies structure, indexes and rows of a backup. A backup by `sqlite3 … ".backup"` has no manifest, so its values
 * are not verified.
 * @throws {OperationError} the backup is damaged, or of another service.
 */
export async function checkSqliteBackup(file: string): Promise<Contents> {
  try {
    return await withSqlite(file, { readonly: true }, (database) => contentsOf(database, file));
  } catch (error) {
    throw isSqliteDamage(error) ? new OperationError(`The backup ${file} is damaged: ${error.message}.`, error) : error;
  }
}

function contentsOf(database: Sqlite, file: string): Contents {
  const found = database.pragma('integrity_check(1)', { simple: true });
  if (found !== 'ok') throw new OperationError(`The backup ${file} is damaged: ${String(found)}.`);
  const tables = tableNames(database);
  if (!OURS.every((table) => tables.includes(table))) {
    throw new OperationError(`${file} is a SQLite database, but not one of this service.`);
  }
  const { rows, sha256 } = digest(database);
  const manifest = tables.includes(MANIFEST)
    ? database.prepare<[], { made_at: string; sha256: string }>(`SELECT * FROM ${MANIFEST}`).get()
    : { made_at: 'an unknown time', sha256 };
  if (manifest?.sha256 !== sha256) {
    throw new OperationError(`The backup ${file} is damaged: its checksum is wrong.`);
  }
  refuseEmpty(rows, file);
  return { madeAt: manifest.made_at, migrations: migrationsOf(database), rows };
}

function digest(database: Sqlite): { rows: Record<string, number>; sha256: string } {
  const hash = createHash('sha256');
  hash.update(JSON.stringify(database.prepare('SELECT * FROM sqlite_schema').all()));
  const rows: Record<string, number> = {};
  for (const table of tableNames(database).filter((name) => name !== MANIFEST)) {
    const sql = `SELECT * FROM ${quoted(table)} ORDER BY ${storedOrder(database, table)}`;
    const statement = database.prepare<[], unknown[]>(sql).raw();
    hash.update(JSON.stringify([table, ...statement.columns().map(({ name }) => name)]));
    let count = 0;
    for (const row of statement.iterate()) {
      hash.update(JSON.stringify(row));
      count += 1;
    }
    rows[table] = count;
  }
  return { rows, sha256: hash.digest('hex') };
}

/** `wr` is 1 for WITHOUT ROWID. */
function storedOrder(database: Sqlite, table: string): string {
  const [{ wr } = { wr: 0 }] = database.pragma(`table_list(${quoted(table)})`) as { wr: number }[];
  if (wr === 0) return 'rowid';
  const columns = database.pragma(`table_info(${quoted(table)})`) as { name: string; pk: number }[];
  const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  return key.map(({ name }) => quoted(name)).join(', ');
}
