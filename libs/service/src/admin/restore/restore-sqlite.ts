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
import { Sqlite } from '../../data/sqlite/sqlite.js';
import { connectionOf } from '../../data/sqlite/typeorm-connection.js';
import { migrateSqlite, sqliteWriter } from '../../data/sqlite/sqlite-source.js';

import { sync } from '../backup/new-file.js';
import { checkSqliteBackup, MANIFEST, withSqlite } from '../backup/sqlite-backup.js';
import { isOutside, isSqliteDamage, OperationError } from '../session/operation-error.js';
import { refuseOtherTables } from './refuse-other-tables.js';
import { timestamp } from './timestamp.js';

const LOG_ENDS = ['-wal', '-shm', '-journal'];

/** Builds the new file next to the old one, then replaces it with one rename. */
export async function restoreSqlite(named: string, backup: string, schema: DatabaseSchema): Promise<string> {
  const file = followed(named);
  const restoring = `${file}.restoring`;
  const remove = (): void => {
    for (const end of ['', ...LOG_ENDS]) rmSync(restoring + end, { force: true });
  };
  const held = existsSync(file) ? holdAlone(file) : undefined;
  try {
    remove();
    mkdirSync(dirname(resolve(file)), { recursive: true });
    copyFileSync(backup, restoring);
    // Copying may have failed, so verify the copy.
    checkSqliteBackup(restoring);
    withSqlite(restoring, {}, (database) => database.exec(`DROP TABLE IF EXISTS ${MANIFEST}`));
    const writer = await sqliteWriter(restoring, schema);
    try {
      await migrateSqlite(writer);
      await refuseOtherTables(connectionOf(writer), schema, backup);
    } finally {
      await writer.destroy();
    }
    return replace(file, restoring, held);
  } finally {
    held?.close();
    remove();
  }
}

/** SQLite and the restore put further files next to the real file, so resolve a symbolic link. */
function followed(file: string): string {
  return lstatSync(file, { throwIfNoEntry: false }) === undefined ? file : realpathSync(file);
}

function replace(file: string, restoring: string, held: Sqlite | undefined): string {
  const { mode, uid, gid } = statSync(existsSync(file) ? file : restoring);
  chmodSync(restoring, mode);
  chownSync(restoring, uid, gid);
  const wasThere = existsSync(file);
  const former = `${file}.former-${timestamp()}`;
  keepFormer(file, former, held);
  for (const end of LOG_ENDS) rmSync(file + end, { force: true });
  sync(restoring);
  renameSync(restoring, file);
  sync(dirname(resolve(file)));
  if (!wasThere) return `There was no database at ${file} before.`;
  return `The former database is ${former}: delete it when it is no longer needed.`;
}

/** Preserves the former file with the contents of its log. If it is damaged, its log is preserved separately. */
function keepFormer(file: string, former: string, held: Sqlite | undefined): void {
  // Before any change: closing a database deletes its log.
  for (const end of ['', ...LOG_ENDS]) if (existsSync(file + end)) keep(file + end, former + end);
  const remove = (ends: readonly string[]): void => {
    for (const end of ends) rmSync(former + end, { force: true });
  };
  if (held === undefined) return;
  try {
    held.pragma('journal_mode = DELETE');
    remove(LOG_ENDS);
  } catch (error) {
    if (isSqliteDamage(error)) {
      // Closing also writes the log to the file under all its names, so preserve a real copy.
      remove(['']);
      copyFileSync(file, former, constants.COPYFILE_FICLONE);
      held.close();
      return;
    }
    remove(['', ...LOG_ENDS]);
    throw error;
  }
}

function keep(file: string, former: string): void {
  try {
    linkSync(file, former);
  } catch {
    copyFileSync(file, former, constants.COPYFILE_EXCL);
  }
}

/**
 * Locks a database against all other processes while it is open.
 * @returns undefined if its first page is damaged, so that no program can use it anyway.
 * @throws {OperationError} the database is in use.
 */
export function holdAlone(file: string): Sqlite | undefined {
  const database = new Sqlite(file, { timeout: 0 });
  try {
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE; COMMIT');
    return database;
  } catch (error) {
    database.close();
    if (isSqliteDamage(error)) return undefined;
    if (!isOutside(error)) throw error;
    if (!error.code.startsWith('SQLITE_BUSY')) throw error;
    throw new OperationError(`The database ${file} is in use: stop the service first.`, error);
  }
}
