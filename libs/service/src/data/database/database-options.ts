import type { Migration } from '../schema/migration.js';

export type DatabaseConfig = MigrationPolicy & (SqliteConfig | PostgresConfig);

interface MigrationPolicy {
  /** Another process runs the migrations (`MIGRATE=off`). Default: this process does. */
  readonly isMigratedElsewhere?: true;
}

interface SqliteConfig {
  readonly dialect: 'sqlite';
  readonly file: string;
}

interface PostgresConfig {
  readonly dialect: 'postgres';
  /** May name several hosts, separated by commas. The writable one is used. */
  readonly url: string;
  /** URL for migrations. They must bypass a connection pooler. Default: `url`. */
  readonly migrationUrl?: string;
}

export const APPLICATION_NAME = 'items';

export interface DatabaseSchema {
  /** Oldest first. The store's own migrations run earlier. */
  readonly migrations: readonly (new () => Migration)[];
  /** Names of the migrations to run when a backup is restored. Default: all. */
  readonly only?: readonly string[];
  readonly applicationName?: string;
}
