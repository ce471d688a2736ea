import type { DataSource } from 'typeorm';

import { OldNodeError } from './node-sqlite.js';
import { reasonOf } from '../outages/outage.js';

/** The database does not exist or cannot be used. The message says why. */
export class DatabaseNotOpenedError extends Error {
  isOfMigrations = false;

  constructor(cause: unknown) {
    super(reasonOf(cause), { cause });
    this.name = 'DatabaseNotOpenedError';
  }
}

/**
 * @throws {DatabaseNotOpenedError}
 * @throws {OldNodeError} This version of Node has no SQLite.
 */
export async function initialized(source: DataSource): Promise<DataSource> {
  try {
    return await source.initialize();
  } catch (error) {
    throw error instanceof OldNodeError ? error : new DatabaseNotOpenedError(error);
  }
}
