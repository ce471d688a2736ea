/** Statements that run once, in order, under the migration lock. */
export interface Migration {
  readonly name: string;
  readonly sqlite: readonly string[];
  readonly postgres: readonly string[];
}
