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
  /** May name several hosts, separated by commas. The writable one is used. */
  readonly url: string;
  /** URL for migrations, which must bypass a connection pooler. Default: `url`. */
  readonly migrationUrl?: string;
}

export const APPLICATION_NAME = 'items';

/** Has no `down`: an older version starts on the migrated database. */
export interface Migration extends Omit<MigrationInterface, 'down'> {
  /**
   * Former migrations that a baseline replaces. The last one is not listed, because the baseline has its name. So a
   * database that has run all of them skips the baseline. One that has run only some is refused. ADR 1
   */
  readonly replaces?: readonly string[];
}

export interface DatabaseSchema {
  /** Oldest first. The migrations of the store itself run before them. */
  readonly migrations: readonly (new () => Migration)[];
  /** Names of the migrations to run when a backup is restored. Default: all. */
  readonly only?: readonly string[];
  readonly applicationName?: string;
}
