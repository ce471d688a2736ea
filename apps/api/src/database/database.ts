import type { DataSource } from 'typeorm';

/** What a statement's parameter or a column may hold. */
export type SqlValue = string | number | bigint | null | Uint8Array | readonly number[];

/** Something that runs SQL. Placeholders are `$1`, `$2` … on both dialects; statements are prepared once a text. */
export interface Queryable {
  /** @returns the rows: of a SELECT, or of a RETURNING clause. */
  query<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;
}

/** An open transaction. Everything in it is undone together if the work that it was opened for throws. */
export interface Transaction extends Queryable {
  /** Work within the transaction that is undone alone if it throws. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
}

/** A column of a table. */
export interface Column {
  readonly name: string;
  readonly nullable: boolean;
}

/** The two databases that the service speaks. */
export type Dialect = 'sqlite' | 'postgres';

/**
 * The database, as the rest of the service sees it. A database that is down or too slow is a
 * {@link ServiceUnavailableError} (503) within five seconds, and is used again as soon as it is back.
 */
export abstract class Database implements Queryable {
  abstract readonly dialect: Dialect;

  /** @param source TypeORM's, which knows the entities. */
  protected constructor(private readonly source: DataSource) {}

  /** The columns of an entity's table. */
  columnsOf(entity: new () => object): readonly Column[] {
    return this.source.getMetadata(entity).columns.map((column) => ({
      name: column.databaseName,
      nullable: column.isNullable,
    }));
  }

  /** Reads, each statement by itself. */
  abstract query<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;

  /**
   * Writes, all or nothing. The work awaits nothing but the transaction, and has no effects outside of it: it runs
   * again after a deadlock.
   */
  abstract transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;

  /** @throws {ServiceUnavailableError} if the database does not answer. */
  abstract ping(): Promise<void>;

  abstract close(): Promise<void>;
}
