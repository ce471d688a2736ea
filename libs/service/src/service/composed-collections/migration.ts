/** Statements that run once, in order, under the migration lock. */
export interface Migration {
  readonly name: string;
  /**
   * Collection whose table these statements change. A new database makes the table in its present form, so it skips
   * them all: statements for anything else belong in a migration of their own.
   */
  readonly collection?: string;
  /** Fields whose stored values these statements convert to a new type. The next start takes the values as they are. */
  readonly converts?: readonly string[];
  readonly sqlite: readonly string[];
  readonly postgres: readonly string[];
}
