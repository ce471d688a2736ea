/**
 * As much of TypeORM's `SelectQueryBuilder` as keyset paging needs, of 0.3 and of 1.x; written out, so that this lib needs
 * neither TypeORM nor its types.
 */
export interface KeysetQuery<Row extends object> {
  readonly alias: string;
  readonly connection: { readonly options: { readonly type: string } };
  readonly expressionMap: { readonly mainAlias?: { readonly metadata: RowMetadata } | undefined };
  clone(): this;
  andWhere(condition: string, parameters?: Record<string, unknown>): this;
  addSelect(selection: string, alias: string): this;
  orderBy(): this;
  addOrderBy(expression: string, direction: 'ASC' | 'DESC', nulls?: 'NULLS LAST'): this;
  offset(rows: number): this;
  limit(rows: number): this;
  getCount(): Promise<number>;
  getMany(): Promise<Row[]>;
  getRawAndEntities(): Promise<{ readonly entities: Row[]; readonly raw: Record<string, unknown>[] }>;
}

/** What TypeORM knows of the table. */
export interface RowMetadata {
  readonly tablePath: string;
  readonly primaryColumns: readonly { readonly propertyPath: string }[];
  findColumnWithPropertyPath(path: string): { readonly isNullable: boolean } | undefined;
}
