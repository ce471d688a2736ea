import { DatabaseNotOpenedError, openDatabase, type Database, type DatabaseConfig } from '@items/store';

import { databaseConfigError } from './database/database-config-error.js';
import { schema } from './schema.js';

/**
 * Opens the configured database with the service's schema up to date; many instances may do so at once.
 * @throws {ConfigError} where there is no such database, or it cannot be used.
 */
export async function openServiceDatabase(config: DatabaseConfig): Promise<Database> {
  try {
    return await openDatabase(config, schema);
  } catch (error) {
    throw error instanceof DatabaseNotOpenedError ? databaseConfigError(error) : error;
  }
}
