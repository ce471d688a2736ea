/** A column of a table. */
export interface Column {
  readonly name: string;
  readonly nullable: boolean;
}

/** The columns that every row of a collection carries. */
export const ROW_COLUMNS: readonly Column[] = ['id', 'created_at', 'updated_at', 'lane', 'seq'].map((name) => ({
  name,
  nullable: false,
}));
