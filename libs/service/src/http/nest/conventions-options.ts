import type { EventsOptions } from '../../feed/events.js';
import type { DatabaseConfig, DatabaseSchema } from '../../data/database/database-options.js';
import type { Database } from '../../data/database/database.js';
import type { DatabaseObserver } from '../../data/database/database-observer.js';
import type { StandbyOptions } from '../../data/standbys/open-standby-reads.js';
import type { StoreLog } from '../../data/outages/store-log.js';
import { ConfigurableModuleBuilder } from '@nestjs/common';

export interface ConventionsOptions extends DatabaseSchema {
  readonly database: DatabaseConfig;
  /** PostgreSQL standbys that may serve GETs of collections. Default: none. */
  readonly standbys?: StandbyOptions | undefined;
  /** Lifetime of a cursor. Default: one hour. */
  readonly cursorTtlMs?: number;
  /** The first secret signs new cursors; all verify. Default: a generated secret, stored in the database. */
  readonly cursorSecrets?: readonly string[];
  readonly log?: StoreLog;
  /** Statements that take longer are logged. Default: none. */
  readonly slowMs?: number;
  /** Called for each statement and commit, for tracing. */
  readonly observer?: DatabaseObserver | undefined;
  /** Receives the open database, which the caller must close if the start fails. */
  readonly onOpened?: ((database: Database) => void) | undefined;
  /** Change events of collections; they require `eventMigrations`. Default: no events. */
  readonly events?: EventsOptions;
}

/** Must be global, because each `forFeature` module needs the database and does not know the root options. */
const builder = new ConfigurableModuleBuilder<ConventionsOptions>({ moduleName: 'Conventions' })
  .setClassMethodName('forRoot')
  .setExtras({}, (definition) => ({ ...definition, global: true }));

export const { ConfigurableModuleClass: ConfigurableConventionsModule, MODULE_OPTIONS_TOKEN: CONVENTIONS_OPTIONS } =
  builder.build();
