import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { withResultCode } from './result-codes.js';
import type { Sqlite } from './sqlite.js';
import type { RowValues, SqlValue } from '../database/database.js';
import { preparedTexts } from '../database/prepared-texts.js';
import type { StatementListener } from '../database/slow-statements.js';

/** The plus hides the value of a parameter from the planner. After ANALYZE, SQLite would plan again per value. */
const ONE_PLAN = '+?';

/** Captures the number of `$1`. The other alternatives skip quoted texts and comments. */
const PARAMETER = /'[^']*'|"[^"]*"|--[^\n]*|\/\*[^]*?\*\/|\$(\d+)/g;

interface Prepared {
  readonly statement: StatementSync;
  readonly order: readonly number[];
  readonly columns: readonly string[];
}

/** Runs prepared statements with parameters such as `$1`. Errors have SQLite's `code`. */
export class SqliteConnection {
  private readonly statements = preparedTexts<Prepared>();

  constructor(
    private readonly connection: Sqlite,
    private readonly listener?: StatementListener,
  ) {}

  run<Row>(sql: string, params?: readonly SqlValue[]): Row[] {
    return this.named<Row>(sql, this.values(sql, params));
  }

  named<Row>(sql: string, rows: readonly RowValues[]): Row[] {
    if (rows.length === 0) return [];
    const { columns } = this.statements.get(sql) ?? this.prepare(sql);
    const named: Row[] = [];
    for (const values of rows) {
      const row: Record<string, SqlValue> = {};
      for (let index = 0; index < columns.length; index += 1) row[columns[index] ?? ''] = values[index] ?? null;
      named.push(row as Row);
    }
    return named;
  }

  /** Returns arrays: a page of a list costs a third less than with the driver's objects. */
  values(sql: string, params: readonly SqlValue[] = []): RowValues[] {
    const { listener } = this;
    const beganAtMs = listener === undefined ? 0 : performance.now();
    try {
      const { statement, order } = this.statements.get(sql) ?? this.prepare(sql);
      const values = new Array<SQLInputValue>(order.length);
      for (let index = 0; index < order.length; index += 1) {
        values[index] = (params[order[index] ?? 0] ?? null) as SQLInputValue;
      }
      return statement.all(...values) as unknown[] as RowValues[];
    } catch (error) {
      throw withResultCode(error);
    } finally {
      // Equals notifyListener(), inlined so that people read one file less.
      if (listener !== undefined && performance.now() - beganAtMs >= listener.fromMs) {
        listener.onStatement(sql, beganAtMs);
      }
    }
  }

  get inTransaction(): boolean {
    return this.connection.inTransaction;
  }

  /** @returns False if SQLite has rolled back the transaction after an error such as a full disk. */
  undo(savepoint: 'job' | 'work'): boolean {
    if (!this.connection.inTransaction) return false;
    this.values(`ROLLBACK TO ${savepoint}`);
    this.values(`RELEASE ${savepoint}`);
    return true;
  }

  end(): void {
    if (this.connection.inTransaction) this.values('COMMIT');
  }

  private prepare(sql: string): Prepared {
    const order: number[] = [];
    const text = sql.replace(PARAMETER, (token: string, position?: string) => {
      if (position === undefined) return token;
      order.push(Number(position) - 1);
      return ONE_PLAN;
    });
    const statement = this.connection.database.prepare(text);
    statement.setReturnArrays(true);
    const prepared = { statement, order, columns: statement.columns().map(({ name }) => name) };
    this.statements.set(sql, prepared);
    return prepared;
  }
}
