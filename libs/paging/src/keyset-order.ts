import type { SortKey } from './list-request.js';

/** Sort keys of a row, then its id, as the database stores them. */
export type RowKey = readonly (string | number | null)[];

interface OrderKey extends SortKey {
  readonly column: string;
  readonly nullable: boolean;
}

/** A total order: sort keys, nulls last in either direction, then the id. */
export class KeysetOrder<Row extends object> {
  private readonly keys: readonly OrderKey[];

  /** @throws {Error} A fault of the caller: no such property, or a primary key of several columns. */
  constructor(
    private readonly query: KeysetQuery<Row>,
    sort: readonly SortKey[],
    /** Distinguishes parameters and selections of two orders in one query. */
    private readonly prefix: string,
  ) {
    const metadata = query.expressionMap.mainAlias?.metadata;
    const [id, ...others] = metadata?.primaryColumns ?? [];
    if (metadata === undefined || id === undefined || others.length > 0) {
      throw new Error('keyset() needs a query of an entity whose primary key is one column.');
    }
    this.keys = [...sort, { field: id.propertyPath, descending: false }].map((key) => {
      const column = metadata.findColumnWithPropertyPath(key.field);
      if (column === undefined) throw new Error(`keyset(): the entity has no property "${key.field}".`);
      return { ...key, column: `${query.alias}.${key.field}`, nullable: column.isNullable };
    });
  }

  get length(): number {
    return this.keys.length;
  }

  applyTo(query: KeysetQuery<Row>): void {
    query.orderBy();
    for (const { column, descending, nullable } of this.keys) {
      query.addOrderBy(column, descending ? 'DESC' : 'ASC', ...(nullable ? (['NULLS LAST'] as const) : []));
    }
  }

  /** Also selects the exact keys, because TypeORM may round or convert the values of entities. */
  selectKeysIn(query: KeysetQuery<Row>): void {
    const exact = (column: string): string => (this.isPostgres() ? `CAST(${column} AS text)` : `(${column})`);
    this.keys.forEach(({ column }, index) => query.addSelect(exact(column), this.name(index)));
  }

  keyIn(raw: Readonly<Record<string, unknown>>): RowKey {
    return this.keys.map((_, index) => raw[this.name(index)] as string | number | null);
  }

  async lastKeyOf(query: KeysetQuery<Row>): Promise<RowKey | undefined> {
    const reversed = query.clone().orderBy();
    for (const { column, descending } of this.keys) reversed.addOrderBy(column, descending ? 'ASC' : 'DESC');
    this.selectKeysIn(reversed);
    const { raw } = await reversed.limit(1).getRawAndEntities();
    return raw[0] && this.keyIn(raw[0]);
  }

  startAfter(query: KeysetQuery<Row>, key: RowKey): void {
    query.andWhere(this.after(key), this.parameters(key));
  }

  /** Includes the row with the key. */
  endAt(query: KeysetQuery<Row>, key: RowKey): void {
    query.andWhere(`NOT ${this.after(key)}`, this.parameters(key));
  }

  private after(key: RowKey): string {
    const beyond = this.keys.map((each, index) => {
      const equal = this.keys.slice(0, index).map((earlier, at) => this.isEqual(earlier, key, at));
      return [...equal, this.isBeyond(each, key, index)].join(' AND ');
    });
    return `(${beyond.map((condition) => `(${condition})`).join(' OR ')})`;
  }

  private isEqual({ column }: OrderKey, key: RowKey, index: number): string {
    return key[index] === null ? `${column} IS NULL` : `${column} = :${this.name(index)}`;
  }

  private isBeyond({ column, descending, nullable }: OrderKey, key: RowKey, index: number): string {
    if (key[index] === null) return '1 = 0';
    const beyond = `${column} ${descending ? '<' : '>'} :${this.name(index)}`;
    return nullable ? `(${beyond} OR ${column} IS NULL)` : beyond;
  }

  private parameters(key: RowKey): Record<string, unknown> {
    return Object.fromEntries(key.map((value, index) => [this.name(index), value]));
  }

  private name(index: number): string {
    return `${this.prefix}_${String(index)}`;
  }

  private isPostgres(): boolean {
    return ['postgres', 'aurora-postgres', 'cockroachdb'].includes(this.query.connection.options.type);
  }
}

/**
 * The part of TypeORM's `SelectQueryBuilder` (0.3 and 1.x) that keyset paging uses, so that this library needs neither
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

export interface RowMetadata {
  readonly tablePath: string;
  readonly primaryColumns: readonly { readonly propertyPath: string }[];
  findColumnWithPropertyPath(path: string): { readonly isNullable: boolean } | undefined;
}
