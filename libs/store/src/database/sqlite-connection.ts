import type { Sqlite } from '../sqlite/sqlite.js';
import type { SqliteStatement } from '../sqlite/sqlite-statement.js';

import type { Queryable, RowValues, SqlValue } from './database.js';
import type { StatementListener } from './slow-statements.js';
import { PreparedTexts } from './prepared-texts.js';

/**
 * A parameter whose value the planner does not look at. Where ANALYZE has been run, SQLite would plan a statement anew
 * for each value of a bare `?`, which costs more than the statement; so it makes one plan and keeps it.
 */
const ONE_PLAN = '+?';

/** What certainly writes nothing. SQLite itself would know, but `node:sqlite` does not ask it. */
const READS = /^\s*(?:SELECT|VALUES|EXPLAIN|PRAGMA)\b/i;

interface Prepared {
  readonly statement: SqliteStatement<readonly SqlValue[]>;
  /** For each `?` of the statement, the index of its parameter. */
  readonly order: readonly number[];
  /** The columns of its rows; undefined for a statement that gives none. */
  readonly columns: readonly string[] | undefined;
  readonly mayWrite: boolean;
}

/** Prepared statements over one connection to SQLite, with `$1`-style parameters. */
export class SqliteConnection implements Queryable {
  private readonly statements = new PreparedTexts<Prepared>();
  private readonly beginning: SqliteStatement;
  private readonly commit: SqliteStatement;
  private readonly prepare = (sql: string): Prepared => this.prepared(sql);

  constructor(
    private readonly connection: Sqlite,
    private readonly onStatement: StatementListener = () => undefined,
  ) {
    this.beginning = connection.prepare('BEGIN');
    this.commit = connection.prepare('COMMIT');
  }

  query<Row>(sql: string, params: readonly SqlValue[] = []): Promise<Row[]> {
    try {
      return Promise.resolve(this.run<Row>(sql, params));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Runs a statement at once: SQLite is in this process. @param onWrite hears of one that may write, before it runs. */
  run<Row>(sql: string, params: readonly SqlValue[] = [], onWrite?: () => void): Row[] {
    return this.timed(sql, params, ({ statement, columns, mayWrite }, values) => {
      if (onWrite !== undefined && mayWrite) onWrite();
      if (columns !== undefined)
        return (statement.all(...values) as unknown[][]).map((row) => objectOf(columns, row) as Row);
      statement.run(...values);
      return [];
    });
  }

  /** The rows of a SELECT, as their values. */
  values(sql: string, params: readonly SqlValue[] = []): RowValues[] {
    return this.timed(sql, params, ({ statement }, values) => statement.all(...values) as RowValues[]);
  }

  /** The values of the first row of a SELECT: for one row, a third less than all of them. */
  first(sql: string, params: readonly SqlValue[] = []): RowValues | undefined {
    return this.timed(sql, params, ({ statement }, values) => statement.get(...values) as RowValues | undefined);
  }

  /** Whether a transaction is open. */
  get inTransaction(): boolean {
    return this.connection.inTransaction;
  }

  /** Begins a transaction. @returns false where one is open. */
  begin(): boolean {
    if (this.connection.inTransaction) return false;
    this.beginning.run();
    return true;
  }

  /**
   * Undoes what was written since a savepoint began.
   * @returns false where no transaction is open any more: after some errors (disk full) SQLite has undone all of it itself.
   */
  undo(savepoint: 'job' | 'work'): boolean {
    if (!this.connection.inTransaction) return false;
    this.run(`ROLLBACK TO ${savepoint}`);
    this.run(`RELEASE ${savepoint}`);
    return true;
  }

  /** Ends the transaction, unless SQLite has ended it. */
  end(): void {
    if (this.connection.inTransaction) this.commit.run();
  }

  private timed<Found>(
    sql: string,
    params: readonly SqlValue[],
    run: (prepared: Prepared, values: SqlValue[]) => Found,
  ): Found {
    const beganAtMs = performance.now();
    try {
      const prepared = this.statements.get(sql, this.prepare);
      const values = prepared.order.map((index) => params[index] ?? null);
      return run(prepared, values);
    } finally {
      this.onStatement(sql, beganAtMs);
    }
  }

  private prepared(sql: string): Prepared {
    const order: number[] = [];
    const text = sql.replace(/\$(\d+)/g, (_, position: string) => {
      order.push(Number(position) - 1);
      return ONE_PLAN;
    });
    const statement = this.connection.prepare<readonly SqlValue[]>(text);
    const mayWrite = !READS.test(sql);
    if (!statement.reader) return { statement, order, columns: undefined, mayWrite };
    return { statement: statement.raw(), order, columns: statement.columns().map(({ name }) => name), mayWrite };
  }
}

/** Made here: a page of objects made by the driver costs half as much again. */
function objectOf(columns: readonly string[], values: readonly unknown[]): object {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < columns.length; index += 1) row[columns[index] ?? ''] = values[index];
  return row;
}
