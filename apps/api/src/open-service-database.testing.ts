import { openDatabase } from '@items/service/internal/data/opening/open-database';
import type { Database } from '@items/service/store';
import type { DatabaseConfig } from '@items/service/internal/data/database/database-options';

import { schema } from './service.testing.js';

/** Opens a database with the service's schema up to date. */
export function openServiceDatabase(config: DatabaseConfig): Promise<Database> {
  return openDatabase(config, schema);
}
