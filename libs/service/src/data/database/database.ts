import { type MaybePromise, thenMaybe } from '@items/conventions';
import type { Dialect } from '../schema/dialect.js';
import type { Origin } from './origin.js';
import type { LogUse } from './sqlite-file.js';
import type { OutageCause } from './database-outage.js';

export type SqlValue = string | number | bigint | null | Uint8Array | readonly number[];

/** Values of a row in the order of the selected columns. */
export type RowValues = readonly SqlValue[];

/** Runs SQL. Placeholders are `$1`, `$2` … on both databases. Each SQL text is prepared once. */
export interface Queryable {
  /** @returns Rows of a SELECT or of a RETURNING clause. */
  query<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;
}

export interface ValueReader {
  readonly dialect: Dialect;
  /** Synchronous on SQLite, except for slow reads. */
  readValues(sql: string, params?: readonly SqlValue[]): MaybePromise<RowValues[]>;
  readTransaction<Result>(work: () => MaybePromise<Result>): MaybePromise<Result>;
}

/** An open transaction. It is rolled back if its work throws. */
export interface Transaction extends Queryable {
  /** Synchronous variant of `query` on SQLite. Undefined on PostgreSQL. */
  run?<Row>(sql: string, params?: readonly SqlValue[]): Row[];
  /** Database of the transaction. Undefined for one of `autocommit`. */
  readonly database?: object | undefined;
  /** Whether each statement commits on its own. A row may change between two statements. */
  readonly isAlone?: boolean;
  /** Caller who makes the changes. Undefined for the service itself. The work may set it before its first write. */
  origin?: Origin | undefined;
  /** Runs work that is rolled back alone if it throws. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
}

export interface DatabaseUse {
  readonly isUp: boolean;
  readonly outageCause: OutageCause | undefined;
  readonly failures: number;
  readonly waitingWrites?: number;
  readonly log?: () => LogUse;
  readonly pool?: { readonly open: number; readonly idle: number; readonly max: number; readonly waiting: number };
}

/**
 * Interface of both databases. If a database is down or too slow, calls fail with a `ServiceUnavailableError` (503)
 * within five seconds. It is used again as soon as it recovers.
 */
export abstract class Database implements Queryable, ValueReader {
  abstract readonly dialect: Dialect;

  abstract query<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;

  /** Variant of {@link query} that is synchronous on SQLite. It also throws synchronously there. */
  read<Row>(sql: string, params?: readonly SqlValue[]): MaybePromise<Row[]> {
    return this.query(sql, params);
  }

  /** Variant of {@link read} that returns arrays of values, which is cheaper for many rows. */
  readValues(sql: string, params?: readonly SqlValue[]): MaybePromise<RowValues[]> {
    return thenMaybe(this.read<Record<string, SqlValue>>(sql, params), (rows) => rows.map((row) => Object.values(row)));
  }

  /**
   * Runs several reads. On SQLite, all reads before `work` returns see one snapshot, which also makes them cheaper. On
   * PostgreSQL, each read sees its own snapshot.
   */
  readTransaction<Result>(work: () => MaybePromise<Result>): MaybePromise<Result> {
    return work();
  }

  /**
   * Runs expensive reads without blocking other work: on a worker thread on SQLite, on few connections on PostgreSQL.
   * Each user runs one at a time, and the least-used user goes first. On SQLite, each statement must contain `IN_TIME`.
   * @param fairnessKey Fairness key of the user.
   * @param work Must await nothing but the reader.
   * @param sinceMs Arrival of the request on the clock of `performance`. Default: now.
   * @throws {ServiceUnavailableError} 503 `too_slow`: not finished within `DATABASE_DEADLINE_MS` of the arrival. SPEC
   * §4.1
   */
  abstract readSlowly<Result>(
    fairnessKey: string,
    work: (reader: ValueReader) => MaybePromise<Result>,
    sinceMs?: number,
  ): Promise<Result>;

  /**
   * Runs writes in one transaction. The work must await nothing but the transaction and have no other effects, because
   * it may run again. Pass `tx` to every write. A failed statement fails the transaction, even if the work catches its
   * error, except inside {@link Transaction.savepoint}.
   * @param origin Caller who makes the changes. Default: the service itself.
   * @throws {Error} A write inside the work was not given `tx`, or this call is inside another transaction.
   * @throws {ServiceUnavailableError} 503: the work took longer than 4.5 s, counted from the arrival of the request if
   * the origin has it. The transaction is rolled back.
   */
  abstract transaction<T>(work: (tx: Transaction) => MaybePromise<T>, origin?: Origin): Promise<T>;

  /**
   * Runs a transaction with one writing statement. Reads may precede it, but they lock nothing: see
   * {@link Transaction.isAlone}. It saves the round trips of BEGIN and COMMIT. The work must not call code that could begin a
   * transaction.
   */
  autocommit<T>(work: (tx: Transaction) => MaybePromise<T>, origin?: Origin): Promise<T> {
    return this.transaction(work, origin);
  }

  /**
   * Batches writes of several callers. PostgreSQL runs their items together to save round trips. Each item succeeds or
   * fails on its own.
   * @param work Returns a result for each item in order.
   * @returns A function that runs the work for one item.
   */
  gathering<Item, Result>(
    work: (tx: Transaction, items: readonly Item[]) => MaybePromise<readonly Result[]>,
  ): (item: Item, origin?: Origin) => Promise<Result> {
    return (item, origin) =>
      this.autocommit((tx) => thenMaybe(work(tx, [item]), ([result]) => result as Result), origin);
  }

  /**
   * Runs a transaction whose commit does not wait for the disk on SQLite. A loss of power may undo it, together with
   * all relaxed transactions since the last regular one. The end of the process does not.
   */
  relaxedTransaction<T>(work: (tx: Transaction) => MaybePromise<T>, origin?: Origin): Promise<T> {
    return this.transaction(work, origin);
  }

  abstract ping(): Promise<void>;

  abstract close(): Promise<void>;

  /** Returns the current state without a query. */
  abstract use(): DatabaseUse;

  backlog(): number {
    const { pool, waitingWrites = 0 } = this.use();
    return pool?.waiting ?? waitingWrites;
  }
}
