import type { MigrationInterface } from 'typeorm';

export type DatabaseConfig = MigrationPolicy & (SqliteConfig | PostgresConfig);

interface MigrationPolicy {
  /** Whether another process runs the migrations (`MIGRATE=off`). Default: the process that opens the database runs them. */
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
  /** URL for migrations, which must bypass a pooler. Default: `url`. */
  readonly migrationUrl?: string;
}

export const APPLICATION_NAME = 'items';

export interface DatabaseSchema {
  /** Oldest first. The migrations of the store run before them. */
  readonly migrations: readonly (new () => MigrationInterface)[];
  /** Names of the migrations to run. Default: all. A backup is restored into the tables of its time. */
  readonly only?: readonly string[];
  /** `application_name` of connections to PostgreSQL. Default: {@link APPLICATION_NAME}. */
  readonly applicationName?: string;
}
