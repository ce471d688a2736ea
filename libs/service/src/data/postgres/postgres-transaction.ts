import type { MaybePromise } from '@items/conventions';
import type { SqlValue, Transaction } from '../database/database.js';
import type { Origin } from '../database/origin.js';
import { CheckedTransaction } from '../database/checked-transaction.js';

export interface TransactionConnection {
  query<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;
  command(sql: string): Promise<unknown>;
}

export class PostgresTransaction extends CheckedTransaction implements Transaction {
  constructor(
    private readonly connection: TransactionConnection,
    origin: Origin | undefined,
    database?: object,
  ) {
    super(origin, database);
  }

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

  private async undo(): Promise<void> {
    if (this.hasEnded) return;
    await this.connection.command('ROLLBACK TO work');
    await this.connection.command('RELEASE work');
    this.failure = undefined;
  }
}
