import { statSync } from 'node:fs';

import type { OperationContext } from '../operation.js';

import { checkBackup } from './check-backup.js';
import { contentsInWords } from './contents.js';
import { makeNewFile } from './new-file.js';
import type { OwnTables } from './service-tables.js';
import { backUpPostgres } from './postgres-backup.js';
import { backUpSqlite } from './sqlite-backup.js';

/**
 * Writes a snapshot of all data into a file, and verifies it; the service may run.
 * On SQLite it contains all tables, unless `own` excludes those of the team. On PostgreSQL it contains those of the team
 * that `own` includes.
 * @returns a sentence for the operator.
 * @throws {OperationError} no file was left behind.
 */
export async function backUp(
  { database, schema, warn }: Pick<OperationContext, 'database' | 'schema' | 'warn'>,
  file: string,
  own: OwnTables,
): Promise<string> {
  let omitted: readonly string[] = [];
  const contents = await makeNewFile(file, 'backup', async (partial) => {
    if (database.dialect === 'postgres') omitted = await backUpPostgres(database.url, partial, schema, own);
    else await backUpSqlite(database.file, partial, schema, own);
    return checkBackup(partial);
  });
  if (omitted.length > 0 && !own.onlyService) {
    warn(
      `The backup lacks ${omitted.join(', ')}, because they are not tables of the service: add --include ${omitted.join(',')}, ` +
        'or --only-service to leave them out without this warning.',
    );
  }
  return `Backed up to ${file}, and read through: ${contentsInWords(contents)}, ${String(statSync(file).size)} bytes.`;
}
