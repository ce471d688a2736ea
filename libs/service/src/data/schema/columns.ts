export interface Column {
  readonly name: string;
  readonly nullable: boolean;
}

export const ROW_COLUMNS: readonly Column[] = ['id', 'created_at', 'updated_at', 'lane', 'seq'].map((name) => ({
  name,
  nullable: false,
}));
