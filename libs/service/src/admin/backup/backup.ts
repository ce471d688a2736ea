import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

import type { DatabaseConfig } from '../../data/database/database-options.js';
import type { Dialect } from '../../data/schema/dialect.js';
import { BACKUP_SETTING, type BackupRecord } from '../../runtime/instances/backup-record.js';
import type { OperationContext } from '../operation.js';
import { OperationError } from '../session/operation-error.js';
import { withPostgres } from '../session/postgres-session.js';
import { withSqlite } from '../session/sqlite-session.js';
import { type Contents, formatContents, type TeamTables } from './contents.js';
import { makeNewFile } from './new-file.js';
import { backUpPostgres, checkPostgresBackup } from './postgres-backup.js';
import { backUpSqlite, checkSqliteBackup } from './sqlite-backup.js';

/**
 * Writes a snapshot of all data to a file, verifies the file, and records the backup. The service may be running.
 * @param teamTables selects tables that the service did not create. On SQLite, `onlyService` excludes all. On
 * PostgreSQL, `include` names them.
 * @throws {OperationError} the backup failed, and no file remains.
 */
export async function backUp(
  { database, schema, print, warn }: Pick<OperationContext, 'database' | 'schema' | 'print' | 'warn'>,
  file: string,
  teamTables: TeamTables,
): Promise<string> {
  let omitted: readonly string[] = [];
  const contents = await makeNewFile(file, 'backup', async (partial) => {
    if (database.dialect === 'postgres') omitted = await backUpPostgres(database.url, partial, schema, teamTables);
    else await backUpSqlite(database.file, partial, schema, teamTables);
    return checkBackup(partial);
  });
  const bytes = statSync(file).size;
  await record(database, { madeAt: Date.parse(contents.madeAt), file: resolve(file), bytes }).catch(
    (error: unknown) => {
      print(`The backup is good. Its time could not be recorded for alerts: ${String(error)}`);
    },
  );
  if (omitted.length > 0 && !teamTables.onlyService) {
    warn(
      `The backup lacks ${omitted.join(', ')}, because they are not tables of the service: add --include ${omitted.join(',')}, ` +
        'or --only-service to leave them out without this warning.',
    );
  }
  return `Backed up to ${file}, and read through: ${formatContents(contents)}, ${String(bytes)} bytes.`;
}

/** Describes a backup for the operator. @throws as {@link checkBackup} */
export async function verifyBackup(file: string): Promise<string> {
  const contents = await checkBackup(file);
  return `The backup ${file} of ${contents.madeAt} is good: ${formatContents(contents)}, ${String(statSync(file).size)} bytes.`;
}

const RECORD = `INSERT INTO settings (name, value) VALUES ('${BACKUP_SETTING}', $1)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/** Records a backup for `npm run admin -- check` and the metric `backup_timestamp_seconds`. */
async function record(database: DatabaseConfig, backup: BackupRecord): Promise<void> {
  const value = JSON.stringify(backup);
  if (database.dialect === 'postgres') await withPostgres(database.url, (client) => client.query(RECORD, [value]));
  else await withSqlite(database.file, {}, (sqlite) => sqlite.prepare(RECORD.replace('$1', '?')).run(value));
}

const SQLITE = Buffer.from('SQLite format 3\0');
const GZIP = Buffer.from([0x1f, 0x8b]);

/** @throws {OperationError} the file does not exist, or its first bytes are not those of a backup. */
export function dialectOf(file: string): Dialect {
  if (!existsSync(file)) throw new OperationError(`There is no file ${file}: give the name of a backup.`);
  const start = Buffer.alloc(SQLITE.length);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, start);
  } finally {
    closeSync(descriptor);
  }
  if (start.equals(SQLITE)) return 'sqlite';
  if (start.subarray(0, GZIP.length).equals(GZIP)) return 'postgres';
  throw new OperationError(`The file ${file} is not a backup.`);
}

/** @throws {OperationError} the file is missing, damaged, not a backup, or of another service. */
export async function checkBackup(file: string): Promise<Contents> {
  return dialectOf(file) === 'sqlite' ? checkSqliteBackup(file) : checkPostgresBackup(file);
}
