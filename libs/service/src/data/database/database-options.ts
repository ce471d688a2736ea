import type { MigrationInterface } from 'typeorm';

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
  /** Several hosts are separated by commas. The writable one is used. */
  readonly url: string;
  /** Migrations must bypass a pooler. Default: `url`. */
  readonly migrationUrl?: string;
}

export const APPLICATION_NAME = 'items';

export interface Migration extends MigrationInterface {
  /**
   * Names of the former migrations that a baseline replaces. The baseline has the name of the last of these, so a
   * database that has run them all has run the baseline. Older databases are refused. ADR 1
   */
  readonly replaces?: readonly string[];
}

export interface DatabaseSchema {
  /** Oldest first. The migrations of the store precede them. */
  readonly migrations: readonly (new () => Migration)[];
  /** Names of the migrations to run when a backup is restored. Default: all. */
  readonly only?: readonly string[];
  readonly applicationName?: string;
}
