/** Statements that run once, in order, under the lock of migrations. */
export interface Migration {
  readonly name: string;
  readonly sqlite: readonly string[];
  readonly postgres: readonly string[];
}
