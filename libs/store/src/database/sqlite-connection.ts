import type BetterSqlite3 from 'better-sqlite3';

import type { Queryable, RowValues, SqlValue } from './database.js';
import type { StatementListener } from './slow-statements.js';
import { PreparedTexts } from './prepared-texts.js';

/**
 * A parameter whose value the planner does not look at. Where ANALYZE has been run, SQLite would plan a statement anew
 * for each value of a bare `?`, which costs more than the statement; so it makes one plan and keeps it.
 */
const ONE_PLAN = '+?';

interface Prepared {
  readonly statement: BetterSqlite3.Statement;
  /** For each `?` of the statement, the index of its parameter. */
  readonly order: readonly number[];
  /** The columns of its rows; undefined for a statement that gives none. */
  readonly columns: readonly string[] | undefined;
}

/** Prepared statements over one connection of better-sqlite3, with `$1`-style parameters. */
export class SqliteConnection implements Queryable {
  private readonly statements = new PreparedTexts<Prepared>();
  private readonly beginning: BetterSqlite3.Statement;
  private readonly commit: BetterSqlite3.Statement;
  private readonly prepare = (sql: string): Prepared => this.prepared(sql);

  constructor(
    private readonly connection: BetterSqlite3.Database,
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
    return this.timed(sql, params, ({ statement, columns }, values) => {
      if (onWrite !== undefined && !statement.readonly) onWrite();
      if (columns !== undefined)
        return (statement.all(values) as unknown[][]).map((row) => objectOf(columns, row) as Row);
      statement.run(values);
      return [];
    });
  }

  /** The rows of a SELECT, as their values. */
  values(sql: string, params: readonly SqlValue[] = []): RowValues[] {
    return this.timed(sql, params, ({ statement }, values) => statement.all(values) as RowValues[]);
  }

  /** The values of the first row of a SELECT: for one row, a third less than all of them. */
  first(sql: string, params: readonly SqlValue[] = []): RowValues | undefined {
    return this.timed(sql, params, ({ statement }, values) => statement.get(values) as RowValues | undefined);
  }

  /** Begins a transaction. @returns false where one is open. */
  begin(): boolean {
    if (this.connection.inTransaction) return false;
    this.beginning.run();
    return true;
  }

  /** Ends the transaction, unless SQLite has ended it. */
  end(): void {
    if (this.connection.inTransaction) this.commit.run();
  }

  private timed<Found>(
    sql: string,
    params: readonly SqlValue[],
    run: (prepared: Prepared, values: unknown[]) => Found,
  ): Found {
    const beganAtMs = performance.now();
    try {
      const prepared = this.statements.get(sql, this.prepare);
      const values = prepared.order.map((index) => params[index]);
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
    const statement = this.connection.prepare(text);
    if (!statement.reader) return { statement, order, columns: undefined };
    return { statement: statement.raw(), order, columns: statement.columns().map(({ name }) => name) };
  }
}

/** Made here: a page of objects made by the driver costs half as much again. */
function objectOf(columns: readonly string[], values: readonly unknown[]): object {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < columns.length; index += 1) row[columns[index] ?? ''] = values[index];
  return row;
}
