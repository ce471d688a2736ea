import { statSync } from 'node:fs';

import type { DatabaseConfig } from '../../data/database/database-options.js';

import { checkBackup } from './check-backup.js';
import { contentsInWords } from './contents.js';
import { makeNewFile } from './new-file.js';
import { backUpPostgres } from './postgres-backup.js';
import { backUpSqlite } from './sqlite-backup.js';

/**
 * Writes a snapshot of all data into a file, and verifies it; the service may run.
 * @returns a sentence for the operator.
 * @throws {OperationError} no file was left behind.
 */
export async function backUp(database: DatabaseConfig, file: string): Promise<string> {
  const contents = await makeNewFile(file, 'backup', async (partial) => {
    if (database.dialect === 'postgres') await backUpPostgres(database.url, partial);
    else backUpSqlite(database.file, partial);
    return checkBackup(partial);
  });
  return `Backed up to ${file}, and read through: ${contentsInWords(contents)}, ${String(statSync(file).size)} bytes.`;
}
