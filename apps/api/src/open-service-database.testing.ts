import { openDatabase, type Database, type DatabaseConfig } from '@items/store';

import { schema } from './service.testing.js';

/** Opens a database with the service's schema up to date. */
export function openServiceDatabase(config: DatabaseConfig): Promise<Database> {
  return openDatabase(config, schema);
}
