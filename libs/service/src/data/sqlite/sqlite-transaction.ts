import type { MaybePromise } from '@items/conventions';
import type { SqlValue, Transaction } from '../database/database.js';
import type { Origin } from '../database/origin.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { CheckedTransaction } from '../database/checked-transaction.js';

/** `node:sqlite` does not expose SQLite's own check for writes. */
const READS = /^\s*(?:SELECT|VALUES|EXPLAIN|PRAGMA)\b/i;

export class SqliteTransaction extends CheckedTransaction implements Transaction {
  hasWritten = false;

  constructor(
    private readonly connection: SqliteConnection,
    origin: Origin | undefined,
    database?: object,
  ) {
    super(origin, database);
  }

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

  private undo(cause: unknown): void {
    // Already rolled back at the deadline.
    if (this.hasEnded) return;
    this.failure = this.connection.undo('work') ? undefined : { cause };
  }
}
