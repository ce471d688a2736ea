import { statSync } from 'node:fs';
import { resolve } from 'node:path';

import type { DatabaseConfig } from '../../data/database/database-options.js';

import { BACKUP_SETTING, type BackupRecord } from '../../runtime/instances/backup-record.js';
import type { OperationContext } from '../operation.js';
import { withPostgres } from '../session/postgres-session.js';
import { checkBackup } from './check-backup.js';
import { contentsInWords } from './contents.js';
import { makeNewFile } from './new-file.js';
import type { OwnTables } from './service-tables.js';
import { backUpPostgres } from './postgres-backup.js';
import { backUpSqlite, withSqlite } from './sqlite-backup.js';

/**
 * Writes a snapshot of all data into a file, verifies it, and records it in the database; the service may run. On
 * SQLite, `own` can exclude the tables of the team; on PostgreSQL, only those that it includes are backed up.
 * @returns a sentence for the operator.
 * @throws {OperationError} no file was left behind.
 */
export async function backUp(
  { database, schema, tell, warn }: Pick<OperationContext, 'database' | 'schema' | 'tell' | 'warn'>,
  file: string,
  own: OwnTables,
): Promise<string> {
  let omitted: readonly string[] = [];
  const contents = await makeNewFile(file, 'backup', async (partial) => {
    if (database.dialect === 'postgres') omitted = await backUpPostgres(database.url, partial, schema, own);
    else await backUpSqlite(database.file, partial, schema, own);
    return checkBackup(partial);
  });
  const bytes = statSync(file).size;
  await record(database, { madeAt: Date.parse(contents.madeAt), file: resolve(file), bytes }).catch(
    (error: unknown) => {
      tell(`The backup is good. Its time could not be recorded for alerts: ${String(error)}`);
    },
  );
  if (omitted.length > 0 && !own.onlyService) {
    warn(
      `The backup lacks ${omitted.join(', ')}, because they are not tables of the service: add --include ${omitted.join(',')}, ` +
        'or --only-service to leave them out without this warning.',
    );
  }
  return `Backed up to ${file}, and read through: ${contentsInWords(contents)}, ${String(bytes)} bytes.`;
}

/** @throws {OperationError} the backup is not good. */
export async function verifyBackup(file: string): Promise<string> {
  const contents = await checkBackup(file);
  return `The backup ${file} of ${contents.madeAt} is good: ${contentsInWords(contents)}, ${String(statSync(file).size)} bytes.`;
}

const RECORD = `INSERT INTO settings (name, value) VALUES ('${BACKUP_SETTING}', $1)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/** Used by `npm run admin -- check` and the metric of the backup's age. */
async function record(database: DatabaseConfig, backup: BackupRecord): Promise<void> {
  const value = JSON.stringify(backup);
  if (database.dialect === 'postgres') await withPostgres(database.url, (client) => client.query(RECORD, [value]));
  else withSqlite(database.file, {}, (sqlite) => sqlite.prepare(RECORD.replace('$1', '?')).run(value));
}
