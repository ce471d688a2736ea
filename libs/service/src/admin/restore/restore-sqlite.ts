import {
  chmodSync,
  chownSync,
  copyFileSync,
  constants,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';

import type { DatabaseSchema } from '../../data/database/database-options.js';
import type { Sqlite } from '../../data/sqlite/sqlite.js';
import { sync } from '../backup/new-file.js';
import { checkSqliteBackup, MANIFEST } from '../backup/sqlite-backup.js';
import { isSqliteDamage, OperationError } from '../session/operation-error.js';
import { holdAlone, withMigratedSqlite, withSqlite } from '../session/sqlite-session.js';
import { timestamp } from './timestamp.js';

const LOG_SUFFIXES = ['-wal', '-shm', '-journal'];

/** Builds the new file next to the old one, then renames it over the old one. */
export async function restoreSqlite(named: string, backup: string, schema: DatabaseSchema): Promise<string> {
  const file = resolveLink(named);
  const restoring = `${file}.restoring`;
  const remove = (): void => {
    for (const suffix of ['', ...LOG_SUFFIXES]) rmSync(restoring + suffix, { force: true });
  };
  const held = existsSync(file) ? holdAlone(file) : undefined;
  try {
    remove();
    mkdirSync(dirname(resolve(file)), { recursive: true });
    copyFileSync(backup, restoring);
    // Verify the copy: copying may have damaged it without an error.
    await checkSqliteBackup(restoring);
    await withSqlite(restoring, {}, (database) => database.exec(`DROP TABLE IF EXISTS ${MANIFEST}`));
    await withMigratedSqlite(restoring, schema, (database) => refuseOtherTables(database, schema, backup));
    return replace(file, restoring, held);
  } finally {
    held?.close();
    remove();
  }
}

/** Resolves a symbolic link, because SQLite and the restore create files next to the real file. */
function resolveLink(file: string): string {
  return lstatSync(file, { throwIfNoEntry: false }) === undefined ? file : realpathSync(file);
}

function replace(file: string, restoring: string, held: Sqlite | undefined): string {
  const { mode, uid, gid } = statSync(existsSync(file) ? file : restoring);
  chmodSync(restoring, mode);
  chownSync(restoring, uid, gid);
  const wasThere = existsSync(file);
  const former = `${file}.former-${timestamp()}`;
  preserveFormer(file, former, held);
  for (const suffix of LOG_SUFFIXES) rmSync(file + suffix, { force: true });
  sync(restoring);
  renameSync(restoring, file);
  sync(dirname(resolve(file)));
  if (!wasThere) return `There was no database at ${file} before.`;
  return `The former database is ${former}: delete it when it is no longer needed.`;
}

/** Preserves the former file including its log (WAL). The log of a damaged file remains a separate file. */
function preserveFormer(file: string, former: string, held: Sqlite | undefined): void {
  // First link or copy the old files to `former`, because SQLite deletes the log when the last connection closes.
  for (const suffix of ['', ...LOG_SUFFIXES]) if (existsSync(file + suffix)) linkOrCopy(file + suffix, former + suffix);
  const remove = (suffixes: readonly string[]): void => {
    for (const suffix of suffixes) rmSync(former + suffix, { force: true });
  };
  if (held === undefined) return;
  try {
    held.pragma('journal_mode = DELETE');
  } catch (error) {
    if (isSqliteDamage(error)) {
      // `former` is a hard link to the damaged file. Closing `held` writes the log into this file, so first replace the
      // link with a copy.
      remove(['']);
      copyFileSync(file, former, constants.COPYFILE_FICLONE);
      held.close();
      return;
    }
    remove(['', ...LOG_SUFFIXES]);
    throw error;
  }
  remove(LOG_SUFFIXES);
  // If `former` is a copy, not a link, it lacks the log's changes.
  if (statSync(former).ino !== statSync(file).ino) copyFileSync(file, former);
}

function linkOrCopy(file: string, former: string): void {
  try {
    linkSync(file, former);
  } catch {
    copyFileSync(file, former, constants.COPYFILE_EXCL);
  }
}

/**
 * Refuses modified or handmade tables of the service, by comparison with a new database. Allows additional tables.
 * @throws {OperationError} a column is missing, or a trigger is not the service's.
 */
async function refuseOtherTables(database: Sqlite, schema: DatabaseSchema, backup: string): Promise<void> {
  await withMigratedSqlite(':memory:', schema, (fresh) => {
    const columns = columnsOf(database);
    const missing = columnsOf(fresh).find((column) => !columns.includes(column));
    if (missing !== undefined) throw new OperationError(`The backup ${backup} is damaged: it has no ${missing}.`);
    const triggers = triggersOf(fresh);
    const other = [...triggersOf(database)].find(([name, sql]) => triggers.get(name) !== sql);
    if (other === undefined) return;
    throw new OperationError(
      `The backup ${backup} has the trigger ${other[0]}, which is not the service's: remove it from a copy, and restore that.`,
    );
  });
}

function columnsOf(database: Sqlite): string[] {
  const sql = `SELECT t.name || '.' || c.name AS name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
    WHERE t.type = 'table'`;
  const rows = database.prepare<[], { name: string }>(sql).all();
  return rows.map(({ name }) => name);
}

function triggersOf(database: Sqlite): Map<string, string> {
  const sql = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'";
  const rows = database.prepare<[], { name: string; sql: string }>(sql).all();
  return new Map(rows.map(({ name, sql }) => [name, sql]));
}
