import type { DataSource } from 'typeorm';
import { OldNodeError } from './node-sqlite.js';
import { reasonOf } from '../outages/outage.js';

export class DatabaseNotOpenedError extends Error {
  isOfMigrations = false;

  constructor(cause: unknown) {
    super(reasonOf(cause), { cause });
    this.name = 'DatabaseNotOpenedError';
  }
}

export async function initialized(source: DataSource): Promise<DataSource> {
  try {
    return await source.initialize();
  } catch (error) {
    throw error instanceof OldNodeError ? error : new DatabaseNotOpenedError(error);
  }
}
