export interface Column {
  readonly name: string;
  readonly nullable: boolean;
}

/** Columns of every row of a collection. */
export const ROW_COLUMNS: readonly Column[] = ['id', 'created_at', 'updated_at', 'lane', 'seq'].map((name) => ({
  name,
  nullable: false,
}));
