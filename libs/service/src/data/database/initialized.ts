import type { DataSource } from 'typeorm';

import { OldNodeError } from './node-sqlite.js';
import { reasonOf } from '../outages/outage.js';

/** There is no such database, or it cannot be used; the message says why. */
export class DatabaseNotOpenedError extends Error {
  /** Whether it is the one that was named for migrations alone. */
  isOfMigrations = false;

  constructor(cause: unknown) {
    super(reasonOf(cause), { cause });
    this.name = 'DatabaseNotOpenedError';
  }
}

/** Opens the connection. @throws {DatabaseNotOpenedError} @throws {OldNodeError} this Node has no SQLite. */
export async function initialized(source: DataSource): Promise<DataSource> {
  try {
    return await source.initialize();
  } catch (error) {
    throw error instanceof OldNodeError ? error : new DatabaseNotOpenedError(error);
  }
}
