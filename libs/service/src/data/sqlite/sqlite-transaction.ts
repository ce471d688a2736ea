import type { MaybePromise } from '@items/conventions';
import type { SqlValue, Transaction } from '../database/database.js';
import type { Origin } from '../database/origin.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { EndedTransactionError, FailedTransactionError } from '../database/transaction-errors.js';

/** Recognizes reads by a pattern, because `node:sqlite` does not expose `sqlite3_stmt_readonly()`. */
const READS = /^\s*(?:SELECT|VALUES|EXPLAIN|PRAGMA)\b/i;

/** After a failed statement outside of a savepoint, the transaction can only be rolled back, as on PostgreSQL. */
export class SqliteTransaction implements Transaction {
  hasWritten = false;
  private hasEnded = false;
  /** An object, because `undefined` can be thrown too. */
  private failure: { readonly cause: unknown } | undefined;

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

  requireOpen(): void {
    if (this.hasEnded) throw new EndedTransactionError();
    if (this.failure !== undefined) throw new FailedTransactionError(this.failure.cause);
  }

  /** Refuses later statements, because the connection passes to other transactions. */
  end(): void {
    this.hasEnded = true;
  }

  private undo(cause: unknown): void {
    // After the deadline, the queue has already rolled back the transaction.
    if (this.hasEnded) return;
    this.failure = this.connection.undo('work') ? undefined : { cause };
  }
}
