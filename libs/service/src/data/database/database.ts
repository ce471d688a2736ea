import { type MaybePromise, thenMaybe } from '@items/conventions';
import type { Dialect } from '../schema/dialect.js';
import type { Origin } from './origin.js';
import type { WalUsage } from './sqlite-file.js';
import type { OutageCause } from './database-outage.js';

export type SqlValue = string | number | bigint | null | Uint8Array | readonly number[];

/** Values in the order of the selected columns. */
export type RowValues = readonly SqlValue[];

/** Runs SQL with the placeholders `$1`, `$2` … on both databases. Each connection caches prepared statements. */
export interface Queryable {
  query<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;
}

export interface ValueReader {
  readonly dialect: Dialect;
  /** Synchronous on SQLite, except for slow reads. */
  readValues(sql: string, params?: readonly SqlValue[]): MaybePromise<RowValues[]>;
  readTransaction<Result>(work: () => MaybePromise<Result>): MaybePromise<Result>;
}

export interface Transaction extends Queryable {
  /** Synchronous variant of `query` on SQLite. Undefined on PostgreSQL. */
  run?<Row>(sql: string, params?: readonly SqlValue[]): Row[];
  /** Identifies the database. May be undefined in `autocommit`. */
  readonly database?: object | undefined;
  /** Each statement commits separately, so a row may change between two statements. */
  readonly isAutocommit?: boolean;
  /** Undefined if the service itself writes. The work may set this before its first write. */
  origin?: Origin | undefined;
  /** Rolls back only this work if it throws. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
}

export interface DatabaseUse {
  readonly isUp: boolean;
  readonly outageCause: OutageCause | undefined;
  readonly failures: number;
  readonly waitingWrites?: number;
  readonly log?: () => WalUsage;
  readonly pool?: { readonly open: number; readonly idle: number; readonly max: number; readonly waiting: number };
}

/** Calls fail with a `ServiceUnavailableError` (503) within five seconds if the database is down or too slow. */
export abstract class Database implements Queryable, ValueReader {
  abstract readonly dialect: Dialect;

  abstract query<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;

  /** Variant of {@link query} that returns or throws synchronously on SQLite. */
  read<Row>(sql: string, params?: readonly SqlValue[]): MaybePromise<Row[]> {
    return this.query(sql, params);
  }

  /** Returns arrays of values: arrays cost less than objects. */
  readValues(sql: string, params?: readonly SqlValue[]): MaybePromise<RowValues[]> {
    return thenMaybe(this.read<Record<string, SqlValue>>(sql, params), (rows) => rows.map((row) => Object.values(row)));
  }

  /**
   * On SQLite, all reads before `work` returns share one snapshot and cost less. On PostgreSQL, each read has its own.
   */
  readTransaction<Result>(work: () => MaybePromise<Result>): MaybePromise<Result> {
    return work();
  }

  /**
   * Runs expensive reads without blocking other work: on a worker thread on SQLite, on few connections on PostgreSQL.
   * Users take turns with one read each. On SQLite, each statement must contain the condition `IN_TIME`.
   * @param work Must await nothing but the reader.
   * @throws {ServiceUnavailableError} 503 `too_slow`: `DATABASE_DEADLINE_MS` have passed since `sinceMs`. SPEC §4.1
   */
  abstract readSlowly<Result>(
    fairnessKey: string,
    work: (reader: ValueReader) => MaybePromise<Result>,
    sinceMs?: number,
  ): Promise<Result>;

  /**
   * Runs writes in one transaction. The work must await only the database and have no other effects, because it may run
   * again. Pass `tx` to every write. A failed statement fails the transaction even if the work catches its error,
   * except inside {@link Transaction.savepoint}.
   * @throws {Error} A write inside the work lacks `tx`, or this call is inside another transaction.
   * @throws {ServiceUnavailableError} 503: the work took longer than 4.5 s from `origin.sinceMs` or this call. Nothing
   * is written.
   */
  abstract transaction<T>(work: (tx: Transaction) => MaybePromise<T>, origin?: Origin): Promise<T>;

  /**
   * Runs work with one write: a transaction with a shared commit on SQLite, a single statement on PostgreSQL. There,
   * reads before it lock nothing: see {@link Transaction.isAutocommit}. The work must not call code that could begin
   * a transaction.
   */
  autocommit<T>(work: (tx: Transaction) => MaybePromise<T>, origin?: Origin): Promise<T> {
    return this.transaction(work, origin);
  }

  /**
   * Returns a function that batches writes of several callers on PostgreSQL, to save round trips. A failed item does
   * not fail the others.
   * @param work Returns results in the order of the items.
   */
  gathering<Item, Result>(
    work: (tx: Transaction, items: readonly Item[]) => MaybePromise<readonly Result[]>,
  ): (item: Item, origin?: Origin) => Promise<Result> {
    return (item, origin) =>
      this.autocommit((tx) => thenMaybe(work(tx, [item]), ([result]) => result as Result), origin);
  }

  /**
   * On SQLite, the commit does not wait for the disk. A loss of power may undo all relaxed transactions since the last
   * regular transaction. The end of the process cannot.
   */
  relaxedTransaction<T>(work: (tx: Transaction) => MaybePromise<T>, origin?: Origin): Promise<T> {
    return this.transaction(work, origin);
  }

  abstract ping(): Promise<void>;

  abstract close(): Promise<void>;

  abstract use(): DatabaseUse;

  backlog(): number {
    const { pool, waitingWrites = 0 } = this.use();
    return pool?.waiting ?? waitingWrites;
  }
}
