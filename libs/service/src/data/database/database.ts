import { type MaybePromise, thenMaybe } from '@items/conventions';
import type { Dialect } from '../schema/dialect.js';
import type { Origin } from './origin.js';
import type { LogUse } from './sqlite-file.js';
import type { OutageCause } from './database-outage.js';

/** What a statement's parameter or a column may hold. */
export type SqlValue = string | number | bigint | null | Uint8Array | readonly number[];

/** The values of a row, in the order of the columns that a statement names. */
export type RowValues = readonly SqlValue[];

/** Something that runs SQL. Placeholders are `$1`, `$2` … on both dialects; statements are prepared once a text. */
export interface Queryable {
  /** @returns the rows: of a SELECT, or of a RETURNING clause. */
  query<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;
}

/** Something that reads rows as their values. */
export interface ValueReader {
  readonly dialect: Dialect;
  /** At once and without a promise where the database is in this process and the read is not slow. */
  readValues(sql: string, params?: readonly SqlValue[]): MaybePromise<RowValues[]>;
  /** Several reads as of one moment, where that costs nothing: see `Database.together`. */
  readTransaction<Result>(work: () => MaybePromise<Result>): MaybePromise<Result>;
}

/** An open transaction. Everything in it is undone together if the work that it was opened for throws. */
export interface Transaction extends Queryable {
  /** The same as `query`, at once, where the database is in this process; undefined elsewhere. */
  run?<Row>(sql: string, params?: readonly SqlValue[]): Row[];
  /** Whether each statement is a transaction by itself: what one has read may have changed before the next. */
  readonly isAlone?: boolean;
  /** Who makes its changes; undefined for the service itself. Work that finds it out sets it before it writes. */
  origin?: Origin | undefined;
  /** Work within the transaction that is undone alone if it throws. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
}

/** How a database is used at this moment, for those who watch it. */
export interface DatabaseUse {
  /** False during an outage. */
  readonly isUp: boolean;
  /** Why the latest failure of an outage failed; undefined where there is no outage. */
  readonly outageCause: OutageCause | undefined;
  /** Statements and transactions that failed because it is down or too slow, since the process began. */
  readonly failures: number;
  /** Transactions that wait for the one writer; absent where there are many. */
  readonly waitingWrites?: number;
  /** The log (WAL) beside the file; absent where there is none. It is read at each call. */
  readonly log?: () => LogUse;
  /** Connections; absent where there is no pool. */
  readonly pool?: { readonly open: number; readonly idle: number; readonly max: number; readonly waiting: number };
}

/**
 * The database, as everything above it sees it. A database that is down or too slow is a
 * `ServiceUnavailableError` (503) within five seconds, and is used again as soon as it is back.
 */
export abstract class Database implements Queryable, ValueReader {
  abstract readonly dialect: Dialect;

  /** Reads, each statement by itself. */
  abstract query<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;

  /** The same, at once and without a promise where the database is in this process; it throws at once, too. */
  read<Row>(sql: string, params?: readonly SqlValue[]): MaybePromise<Row[]> {
    return this.query(sql, params);
  }

  /** The same, with rows as their values: for many rows, less than it costs to name each value. */
  readValues(sql: string, params?: readonly SqlValue[]): MaybePromise<RowValues[]> {
    return thenMaybe(this.read<Record<string, SqlValue>>(sql, params), (rows) => rows.map((row) => Object.values(row)));
  }

  /**
   * Several reads as of one moment, where the database is in this process, which makes them cheaper too; elsewhere each is
   * of its own. What is not read before `work` returns is of a later moment everywhere.
   */
  readTransaction<Result>(work: () => MaybePromise<Result>): MaybePromise<Result> {
    return work();
  }

  /**
   * Reads that no index serves in order: beside the main thread on SQLite, on few connections of the pool on PostgreSQL. Of
   * each user one at a time; users take turns. On SQLite each statement has `IN_TIME` among its conditions.
   * @param fairnessKey of the user.
   * @param work awaits nothing but the reader.
   * @param sinceMs when its request arrived, on the clock of `performance`; now if absent.
   * @throws {ServiceUnavailableError} 503 `too_slow`: it was not done within `DATABASE_DEADLINE_MS` of that. SPEC §4.1
   */
  abstract readSlowly<Result>(
    fairnessKey: string,
    work: (reader: ValueReader) => MaybePromise<Result>,
    sinceMs?: number,
  ): Promise<Result>;

  /**
   * Writes, all or nothing. The work awaits nothing but the transaction, and has no effects outside of it: it may run
   * again. Inside it every write is given its `tx`. A failed statement fails the transaction, also where the work catches
   * its error, unless it stood in {@link Transaction.savepoint}.
   * @param origin who makes the changes; the service itself where it is left out.
   * @throws {Error} a write inside the work was not given its `tx`; or it was begun itself inside another transaction.
   * @throws {ServiceUnavailableError} 503: the work was not done within 4.5 s, which count from the arrival of the request
   * where the origin has one; it is rolled back.
   */
  abstract transaction<T>(work: (tx: Transaction) => MaybePromise<T>, origin?: Origin): Promise<T>;

  /**
   * A transaction of one statement that writes; others before it may read, or find that there is nothing to write. It takes
   * no round trips to begin and to commit, and may lock nothing meanwhile: see {@link Transaction.isAlone}. The work runs no
   * code of a caller that could begin a transaction.
   */
  autocommit<T>(work: (tx: Transaction) => MaybePromise<T>, origin?: Origin): Promise<T> {
    return this.transaction(work, origin);
  }

  /**
   * Work for many callers, of which each has it done for one item by {@link autocommit}. Where the database is a
   * round trip away, items of several callers are handed to it together; each of them succeeds or fails alone.
   * @param work returns a result for each item, in their order.
   * @returns has it done for an item. @param origin tells since when its request waits.
   */
  gathering<Item, Result>(
    work: (tx: Transaction, items: readonly Item[]) => MaybePromise<readonly Result[]>,
  ): (item: Item, origin?: Origin) => Promise<Result> {
    return (item, origin) =>
      this.autocommit((tx) => thenMaybe(work(tx, [item]), ([result]) => result as Result), origin);
  }

  /**
   * A transaction that a loss of power may undo, together with all of its kind since the last other one; the end of the
   * process does not. Where the disk would be waited for in this process, it is not.
   */
  relaxedTransaction<T>(work: (tx: Transaction) => MaybePromise<T>, origin?: Origin): Promise<T> {
    return this.transaction(work, origin);
  }

  /** @throws {ServiceUnavailableError} if the database does not answer. */
  abstract ping(): Promise<void>;

  abstract close(): Promise<void>;

  /** What it is doing; asks the database nothing. */
  abstract use(): DatabaseUse;

  /** How much waits for the one writer, or for a connection. */
  backlog(): number {
    const { pool, waitingWrites = 0 } = this.use();
    return pool?.waiting ?? waitingWrites;
  }
}
