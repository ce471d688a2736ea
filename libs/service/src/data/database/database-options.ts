import type { MigrationInterface } from 'typeorm';

/** Where the data lives. */
export type DatabaseConfig =
  | { readonly dialect: 'sqlite'; readonly file: string }
  | {
      readonly dialect: 'postgres';
      /** With several hosts, separated by commas, the one that can be written to is used. */
      readonly url: string;
      /** Where migrations run, past a pooler; `url` where it is left out. */
      readonly migrationUrl?: string;
    };

export const APPLICATION_NAME = 'items';

/** The tables of an application. */
export interface DatabaseSchema {
  /** Oldest first; the tables of the store itself are made before them. */
  readonly migrations: readonly (new () => MigrationInterface)[];
  /** Names of those to run, where it is not all of them: a backup goes into the tables of its time. */
  readonly only?: readonly string[];
  /** Name of the application's connections in `pg_stat_activity`; default {@link APPLICATION_NAME}. */
  readonly applicationName?: string;
}
