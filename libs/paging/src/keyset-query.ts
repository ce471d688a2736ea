/**
 * The part of TypeORM's `SelectQueryBuilder` (0.3 and 1.x) that keyset paging uses. So this library needs neither
 * TypeORM nor its types.
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

/** The part of TypeORM's metadata that this library uses. */
export interface RowMetadata {
  readonly tablePath: string;
  readonly primaryColumns: readonly { readonly propertyPath: string }[];
  findColumnWithPropertyPath(path: string): { readonly isNullable: boolean } | undefined;
}
