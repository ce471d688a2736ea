import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';

import { CONFIG, type Config } from '../config/config.js';
import { Database } from './database.js';
import { openDatabase } from './open-database.js';

/** The database, open and migrated before anything else starts, and closed after everything else has stopped. */
@Global()
@Module({
  providers: [{ provide: Database, inject: [CONFIG], useFactory: (config: Config) => openDatabase(config.database) }],
  exports: [Database],
})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(@Inject(Database) private readonly database: Database) {}

  onApplicationShutdown(): Promise<void> {
    return this.database.close();
  }
}
