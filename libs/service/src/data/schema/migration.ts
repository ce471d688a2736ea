import type { MigrationInterface } from 'typeorm';

/** Has no `down`, because older versions also start on the migrated database. */
export interface Migration extends Omit<MigrationInterface, 'down'> {
  /**
   * Former migrations that a baseline replaces, except the last, whose name the baseline has. So a database that has
   * run all of them skips the baseline. A database that has run only some is refused. ADR 1
   */
  readonly replaces?: readonly string[];
}
