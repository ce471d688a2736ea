import type { RowValues, SqlValue, Transaction, ValueReader } from '../database/database.js';
import { timeLeft } from '../database/transaction-deadline.js';

/** Slow reads of one process at once, so that most connections of the pool are left for others. */
export const SLOW_READS_AT_ONCE = 4;
/** The SQLSTATE of a statement that `statement_timeout` has ended: query_canceled. */
export const CANCELED = '57014';

/** Reads in a transaction: the server ends each statement at the deadline. */
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
