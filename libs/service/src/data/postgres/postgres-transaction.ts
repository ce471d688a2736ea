import type { MaybePromise } from '@items/conventions';

import type { SqlValue, Transaction } from '../database/database.js';
import type { Origin } from '../database/origin.js';
import { EndedTransactionError, FailedTransactionError } from '../database/transaction-errors.js';

export interface TransactionConnection {
  query<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;
  command(sql: string): Promise<unknown>;
}

/** An object, because the cause may be undefined. */
interface Failure {
  readonly cause: unknown;
}

/** After a failed statement outside of a savepoint, it can only be rolled back. */
export class PostgresTransaction implements Transaction {
  private hasEnded = false;
  private failure: Failure | undefined;

  constructor(
    private readonly connection: TransactionConnection,
    public origin: Origin | undefined,
    readonly database?: object,
  ) {}

  async query<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]> {
    this.requireOpen();
    try {
      return await this.connection.query<Row>(sql, params);
    } catch (cause) {
      this.failure ??= { cause };
      throw cause;
    }
  }

  async savepoint<T>(work: () => MaybePromise<T>): Promise<T> {
    this.requireOpen();
    await this.connection.command('SAVEPOINT work');
    try {
      const result = await work();
      this.requireOpen();
      await this.connection.command('RELEASE work');
      return result;
    } catch (error) {
      await this.undo();
      throw error;
    }
  }

  requireOpen(): void {
    if (this.hasEnded) throw new EndedTransactionError();
    if (this.failure !== undefined) throw new FailedTransactionError(this.failure.cause);
  }

  /** Other transactions use the connection from now on. */
  end(): void {
    this.hasEnded = true;
  }

  private async undo(): Promise<void> {
    if (this.hasEnded) return;
    await this.connection.command('ROLLBACK TO work');
    await this.connection.command('RELEASE work');
    this.failure = undefined;
  }
}
