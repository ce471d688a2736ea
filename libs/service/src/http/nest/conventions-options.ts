import type { EventsOptions } from '../../feed/events.js';
import type { DatabaseConfig, DatabaseSchema } from '../../data/database/database-options.js';
import type { DatabaseObserver } from '../../data/database/database-observer.js';
import type { ReplicaOptions } from '../../data/replicas/open-replicas.js';
import type { StoreLog } from '../../data/outages/store-log.js';
import { ConfigurableModuleBuilder } from '@nestjs/common';

/** What an application decides about its collections. */
export interface ConventionsOptions extends DatabaseSchema {
  /** Or its URL: `sqlite:<file>`, `postgres://user:password@host:5432/name`. */
  readonly database: DatabaseConfig | string;
  /** Standbys of PostgreSQL that may answer GETs of collections; none where it is left out. */
  readonly replicas?: ReplicaOptions | undefined;
  /** How long a cursor lives, in milliseconds; an hour where it is left out. */
  readonly cursorTtlMs?: number;
  /** What authenticates cursors, newest first; where there is none, one is made and kept in the database. */
  readonly cursorSecrets?: readonly string[];
  /** Logs that a database is new, was migrated, or is down; Nest's logger where it is left out. */
  readonly log?: StoreLog;
  /** A statement that takes longer, in milliseconds, is logged; none where it is left out. */
  readonly slowMs?: number;
  /** Called for each statement and commit: for traces. */
  readonly observer?: DatabaseObserver | undefined;
  /** What its collections tell of their changes; nothing where it is left out. Needs `eventMigrations`. */
  readonly events?: EventsOptions;
}

/** Global: each collection's module needs the one database, and its own `forFeature` cannot name the options of the root. */
const builder = new ConfigurableModuleBuilder<ConventionsOptions>({ moduleName: 'Conventions' })
  .setClassMethodName('forRoot')
  .setExtras({}, (definition) => ({ ...definition, global: true }));

/** `forRoot` and `forRootAsync`, as Nest makes them. */
export const { ConfigurableModuleClass: ConfigurableConventionsModule, MODULE_OPTIONS_TOKEN: CONVENTIONS_OPTIONS } =
  builder.build();
