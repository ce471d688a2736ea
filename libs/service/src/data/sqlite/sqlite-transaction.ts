import type { MaybePromise } from '@items/conventions';

import type { SqlValue, Transaction } from '../database/database.js';
import type { Origin } from '../database/origin.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { EndedTransactionError, FailedTransactionError } from '../database/transaction-errors.js';

/** What certainly writes nothing. SQLite itself would know, but `node:sqlite` does not ask it. */
const READS = /^\s*(?:SELECT|VALUES|EXPLAIN|PRAGMA)\b/i;

/** What a failed statement has left behind; the cause may be anything, also undefined. */
interface Failure {
  readonly cause: unknown;
}

/**
 * One transaction of the queue, as its work sees it. As on PostgreSQL, it can only be rolled back once a statement in it
 * has failed, unless that stood in a savepoint.
 */
export class SqliteTransaction implements Transaction {
  /** Whether a statement that may have written has succeeded. */
  hasWritten = false;
  private hasEnded = false;
  private failure: Failure | undefined;

  constructor(
    private readonly connection: SqliteConnection,
    public origin: Origin | undefined,
  ) {}

  query<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]> {
    try {
      return Promise.resolve(this.run<Row>(sql, params));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  run<Row>(sql: string, params?: readonly SqlValue[]): Row[] {
    this.requireOpen();
    try {
      const rows = this.connection.run<Row>(sql, params);
      this.hasWritten ||= !READS.test(sql);
      return rows;
    } catch (cause) {
      this.failure = { cause };
      throw cause;
    }
  }

  async savepoint<T>(work: () => MaybePromise<T>): Promise<T> {
    this.requireOpen();
    this.connection.values('SAVEPOINT work');
    try {
      const result = await work();
      this.requireOpen();
      this.connection.values('RELEASE work');
      return result;
    } catch (error) {
      this.undo(error);
      throw error;
    }
  }

  /** @throws {EndedTransactionError | FailedTransactionError} nothing more can be written, and nothing committed. */
  requireOpen(): void {
    if (this.hasEnded) throw new EndedTransactionError();
    if (this.failure !== undefined) throw new FailedTransactionError(this.failure.cause);
  }

  /** From now on its statements are refused: others use the connection. */
  end(): void {
    this.hasEnded = true;
  }

  private undo(cause: unknown): void {
    // It was rolled back as a whole, past its deadline.
    if (this.hasEnded) return;
    this.failure = this.connection.undo('work') ? undefined : { cause };
  }
}
