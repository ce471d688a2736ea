import type { MaybePromise } from '@items/conventions';
import type { RowValues, SqlValue, Transaction, ValueReader } from '../database/database.js';
import type { Origin } from '../database/origin.js';
import { CheckedTransaction } from '../database/checked-transaction.js';
import { timeLeft } from '../database/transaction-deadline.js';

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

export function slowReaderOn(tx: Transaction, deadlineMs: number): ValueReader {
  return {
    dialect: 'postgres',
    readValues: async (sql, params) => {
      const leftMs = Math.ceil(timeLeft(deadlineMs));
      await tx.query("SELECT set_config('statement_timeout', $1, true)", [String(leftMs)]);
      const rows = await tx.query<Record<string, SqlValue>>(sql, params);
      return rows.map((row): RowValues => Object.values(row));
    },
    readTransaction: (reads) => reads(),
  };
}
