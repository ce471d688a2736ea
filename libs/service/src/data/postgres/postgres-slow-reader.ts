import type { RowValues, SqlValue, Transaction, ValueReader } from '../database/database.js';
import { timeLeft } from '../database/transaction-deadline.js';

/** Leaves most connections of the pool free. */
export const MAX_SLOW_READS = 4;
/** SQLSTATE query_canceled, which `statement_timeout` causes as well. */
export const CANCELED = '57014';

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
