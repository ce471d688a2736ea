import { statSync } from 'node:fs';

import type { DatabaseConfig } from '../../data/database/database-options.js';

import { checkBackup } from './check-backup.js';
import { contentsInWords } from './contents.js';
import { makeNewFile } from './new-file.js';
import { backUpPostgres } from './postgres-backup.js';
import { backUpSqlite } from './sqlite-backup.js';

/**
 * Writes all data, as they are at one moment, into a file, and reads it through; the service may run.
 * @returns a sentence that says what was done.
 * @throws {OperationError} nothing was left behind.
 */
export async function backUp(database: DatabaseConfig, file: string): Promise<string> {
  const contents = await makeNewFile(file, 'backup', async (partial) => {
    if (database.dialect === 'postgres') await backUpPostgres(database.url, partial);
    else backUpSqlite(database.file, partial);
    return checkBackup(partial);
  });
  return `Backed up to ${file}, and read through: ${contentsInWords(contents)}, ${String(statSync(file).size)} bytes.`;
}
