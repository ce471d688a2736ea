import type { MigrationInterface } from 'typeorm';

/** Has no `down`: an older version starts on the migrated database. */
export interface Migration extends Omit<MigrationInterface, 'down'> {
  /**
   * Former migrations that a baseline replaces. The last one is not listed, because the baseline has its name. So a
   * database that has run all of them skips the baseline. One that has run only some is refused. ADR 1
   */
  readonly replaces?: readonly string[];
}
