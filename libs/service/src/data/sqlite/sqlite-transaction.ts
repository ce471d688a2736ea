import type { MaybePromise } from '@items/conventions';

import type { SqlValue, Transaction } from '../database/database.js';
import type { Origin } from '../database/origin.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { EndedTransactionError, FailedTransactionError } from '../database/transaction-errors.js';

/** Matches statements that certainly write nothing. `node:sqlite` does not expose SQLite's own check. */
const READS = /^\s*(?:SELECT|VALUES|EXPLAIN|PRAGMA)\b/i;

/** Failure of a statement. It is an object because the cause may be undefined. */
interface Failure {
  readonly cause: unknown;
}

/**
 * One transaction of the queue. As on PostgreSQL, it can only be rolled back after a statement failed outside of a
 * savepoint.
 */
export class SqliteTransaction implements Transaction {
  hasWritten = false;
  private hasEnded = false;
  private failure: Failure | undefined;

  constructor(
    private readonly connection: SqliteConnection,
    public origin: Origin | undefined,
    readonly database?: object,
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

  /** @throws {EndedTransactionError | FailedTransactionError} The transaction can no longer write or commit. */
  requireOpen(): void {
    if (this.hasEnded) throw new EndedTransactionError();
    if (this.failure !== undefined) throw new FailedTransactionError(this.failure.cause);
  }

  /** Makes further statements fail, because other transactions use the connection now. */
  end(): void {
    this.hasEnded = true;
  }

  private undo(cause: unknown): void {
    // The transaction was rolled back at its deadline.
    if (this.hasEnded) return;
    this.failure = this.connection.undo('work') ? undefined : { cause };
  }
}
