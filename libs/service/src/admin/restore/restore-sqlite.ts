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
import { connectionOf } from '../../data/sqlite/typeorm-connections.js';
import { migrateSqlite, sqliteWriter } from '../../data/sqlite/sqlite-source.js';

import { sync } from '../backup/new-file.js';
import { checkSqliteBackup, MANIFEST, withSqlite } from '../backup/sqlite-backup.js';
import { isOutside, isSqliteDamage, OperationError } from '../session/operation-error.js';
import { refuseOtherTables } from './refuse-other-tables.js';
import { timestamp } from './timestamp.js';

const LOG_ENDS = ['-wal', '-shm', '-journal'];

/**
 * Makes the new file beside the old one, then puts it in its place by one step.
 * @returns a sentence that says where the former file is.
 */
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
    // The copy is what is used: it may have gone wrong as well.
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

/** SQLite keeps its logs beside the file itself, and so does a restore: a symbolic link stays one. */
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

/** What stands in the log goes into the file; the log of a damaged file is kept beside it. */
function keepFormer(file: string, former: string, held: Sqlite | undefined): void {
  // Before anything changes them: closing a database deletes its log.
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
      // Closing also writes what stands in the log to the file, under whatever name: a copy stays as it is.
      remove(['']);
      copyFileSync(file, former, constants.COPYFILE_FICLONE);
      held.close();
      return;
    }
    remove(['', ...LOG_ENDS]);
    throw error;
  }
}

/** Under a second name; as a copy, where the file system knows no second names. */
function keep(file: string, former: string): void {
  try {
    linkSync(file, former);
  } catch {
    copyFileSync(file, former, constants.COPYFILE_EXCL);
  }
}

/**
 * Keeps everybody else out of a database for as long as it is open.
 * @returns undefined if its first page is damaged, so that no program can use it anyway.
 * @throws {OperationError} somebody has it open.
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
