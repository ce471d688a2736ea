import { closeSync, existsSync, openSync, readSync } from 'node:fs';

import type { Dialect } from '../../data/schema/dialect.js';

import { OperationError } from '../session/operation-error.js';
import { checkPostgresBackup } from './backup-lines.js';
import type { Contents } from './contents.js';
import { checkSqliteBackup } from './sqlite-backup.js';

const SQLITE = Buffer.from('SQLite format 3\0');
const GZIP = Buffer.from([0x1f, 0x8b]);

/**
 * Detects the database of a backup by its first bytes.
 * @throws {OperationError} it is not a backup, or there is no such file.
 */
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
  throw new OperationError(`The file ${file} is no backup.`);
}

/**
 * Verifies a backup by reading it.
 * @throws {OperationError} it is damaged, or not a backup of such a service.
 */
export async function checkBackup(file: string): Promise<Contents> {
  return dialectOf(file) === 'sqlite' ? checkSqliteBackup(file) : checkPostgresBackup(file);
}
