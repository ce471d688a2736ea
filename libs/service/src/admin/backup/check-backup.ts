import { closeSync, existsSync, openSync, readSync } from 'node:fs';

import type { Dialect } from '../../data/schema/dialect.js';

import { OperationError } from '../session/operation-error.js';
import { checkPostgresBackup } from './backup-lines.js';
import type { Contents } from './contents.js';
import { checkSqliteBackup } from './sqlite-backup.js';

const SQLITE = Buffer.from('SQLite format 3\0');
const GZIP = Buffer.from([0x1f, 0x8b]);

/** @throws {OperationError} the file does not exist, or does not begin like a backup. */
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

/** @throws {OperationError} the backup is damaged, or not of such a service. */
export async function checkBackup(file: string): Promise<Contents> {
  return dialectOf(file) === 'sqlite' ? checkSqliteBackup(file) : checkPostgresBackup(file);
}
