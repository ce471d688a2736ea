import type { SQLInputValue, StatementSync } from 'node:sqlite';

import { withResultCode } from './result-codes.js';
import type { Sqlite } from './sqlite.js';
import type { RowValues, SqlValue } from '../database/database.js';
import { preparedTexts } from '../database/prepared-texts.js';
import type { StatementListener } from '../database/slow-statements.js';

/**
 * A parameter whose value the planner does not look at. Where ANALYZE has been run, SQLite would plan a statement anew
 * for each value of a bare `?`, which costs more than the statement; so it makes one plan and keeps it.
 */
const ONE_PLAN = '+?';

/** A parameter such as `$1` (with a group), or a literal, quoted name or comment, in which `$1` is only text. */
const PARAMETER = /'[^']*'|"[^"]*"|--[^\n]*|\/\*[^]*?\*\/|\$(\d+)/g;

interface Prepared {
  readonly statement: StatementSync;
  /** For each `?` of the statement, the index of its parameter. */
  readonly order: readonly number[];
  /** The columns of its rows; none for a statement that gives none. */
  readonly columns: readonly string[];
}

/** Prepared statements over one connection to SQLite, with `$1`-style parameters. All run at once: it is in this process. */
export class SqliteConnection {
  private readonly statements = preparedTexts<Prepared>();

  /** @param listener of slow statements, or of all. */
  constructor(
    private readonly connection: Sqlite,
    private readonly listener?: StatementListener,
  ) {}

  /** The rows of a statement by the names of their columns. @throws {Error} with SQLite's `code`. */
  run<Row>(sql: string, params?: readonly SqlValue[]): Row[] {
    return this.named<Row>(sql, this.values(sql, params));
  }

  /** The rows that a statement gave, by the names of their columns. */
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

  /** The rows as their values: a page of objects made by the driver costs half as much again. @throws as {@link run} */
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
      if (listener !== undefined && performance.now() - beganAtMs >= listener.fromMs) {
        listener.onStatement(sql, beganAtMs);
      }
    }
  }

  /** Whether a transaction is open. */
  get inTransaction(): boolean {
    return this.connection.inTransaction;
  }

  /**
   * Undoes what was written since a savepoint began.
   * @returns false where no transaction is open any more: after some errors (disk full) SQLite has undone all of it itself.
   */
  undo(savepoint: 'job' | 'work'): boolean {
    if (!this.connection.inTransaction) return false;
    this.values(`ROLLBACK TO ${savepoint}`);
    this.values(`RELEASE ${savepoint}`);
    return true;
  }

  /** Ends a transaction that has only read, unless SQLite has ended it. */
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
