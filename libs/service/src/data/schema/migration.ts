import type { MigrationInterface } from 'typeorm';

/** Has no `down`, because older versions also start on the migrated database. */
export interface Migration extends Omit<MigrationInterface, 'down'> {
  /**
   * Former migrations that a baseline replaces. The last one is omitted, because the baseline has its name. So a
   * database with all former migrations skips the baseline. A database with only some is refused. ADR 1
   */
  readonly replaces?: readonly string[];
}
