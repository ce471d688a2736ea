import type { MaybePromise } from '@items/conventions';
import type pg from 'pg';
import type { RowValues, SqlValue, Transaction, ValueReader } from '../database/database.js';
import type { Origin } from '../database/origin.js';
import { EndedTransactionError, FailedTransactionError } from '../database/transaction-errors.js';
import { timeLeft } from '../database/transaction-deadline.js';
import { execute, type PostgresConnections } from './postgres-connections.js';

/** After a failed statement outside of a savepoint, the transaction can only be rolled back. */
export class PostgresTransaction implements Transaction {
  private hasEnded = false;
  /** An object, because `undefined` can be thrown too. */
  private failure: { readonly cause: unknown } | undefined;

  constructor(
    private readonly connections: PostgresConnections,
    private readonly client: pg.PoolClient,
    private readonly deadlineMs: number,
    public origin: Origin | undefined,
    readonly database?: object,
  ) {}

  async query<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]> {
    this.requireOpen();
    try {
      const query = await this.connections.run(this.client, sql, params, timeLeft(this.deadlineMs));
      return query.named as Row[];
    } catch (cause) {
      this.failure ??= { cause };
      throw cause;
    }
  }

  async savepoint<T>(work: () => MaybePromise<T>): Promise<T> {
    this.requireOpen();
    await execute(this.client, 'SAVEPOINT work');
    try {
      const result = await work();
      this.requireOpen();
      await execute(this.client, 'RELEASE work');
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

  /** Refuses later statements, because the connection passes to other transactions. */
  end(): void {
    this.hasEnded = true;
  }

  private async undo(): Promise<void> {
    if (this.hasEnded) return;
    await execute(this.client, 'ROLLBACK TO work');
    await execute(this.client, 'RELEASE work');
    this.failure = undefined;
  }
}

/** The server's timeout ends before the deadline of `tx`, so the server cancels first. */
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
