import { type Eventual, andThen } from '@items/conventions';

import type { Dialect } from '../schema/dialect.js';

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

/** How a database is used at this moment, for those who watch it. */
export interface DatabaseUse {
  /** False during an outage. */
  readonly isUp: boolean;
  /** Statements and transactions that failed because it is down or too slow, since the process began. */
  readonly failures: number;
  /** Transactions that wait for the one writer; absent where there are many. */
  readonly waitingWrites?: number;
  /** Connections; absent where there is no pool. */
  readonly pool?: { readonly open: number; readonly idle: number; readonly max: number; readonly waiting: number };
}

/**
 * The database, as everything above it sees it. A database that is down or too slow is a
 * {@link ServiceUnavailableError} (503) within five seconds, and is used again as soon as it is back.
 */
export abstract class Database implements Queryable {
  abstract readonly dialect: Dialect;

  /** Reads, each statement by itself. */
  abstract query<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;

  /** The same, at once and without a promise where the database is in this process; what it throws, likewise. */
  read<Row>(sql: string, params?: readonly SqlValue[]): Eventual<Row[]> {
    return this.query(sql, params);
  }

  /** The first row alone, if there is any, likewise. */
  readFirst<Row>(sql: string, params?: readonly SqlValue[]): Eventual<Row[]> {
    return andThen(this.read<Row>(sql, params), (rows) => rows.slice(0, 1));
  }

  /**
   * Writes, all or nothing. The work awaits nothing but the transaction, and has no effects outside of it: it runs
   * again after a deadlock.
   */
  abstract transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;

  /** @throws {ServiceUnavailableError} if the database does not answer. */
  abstract ping(): Promise<void>;

  abstract close(): Promise<void>;

  /** What it is doing; asks the database nothing. */
  abstract use(): DatabaseUse;
}
