import type BetterSqlite3 from 'better-sqlite3';

import type { Queryable, SqlValue } from './database.js';
import { StatementCache } from './statement-cache.js';

interface Prepared {
  readonly statement: BetterSqlite3.Statement;
  /** For each `?` of the statement, the index of its parameter. */
  readonly order: readonly number[];
}

/** Prepared statements over one connection of better-sqlite3, with `$1`-style parameters. */
export class SqliteConnection implements Queryable {
  private readonly statements = new StatementCache((sql) => this.prepare(sql));

  constructor(private readonly connection: BetterSqlite3.Database) {}

  query<Row>(sql: string, params: readonly SqlValue[] = []): Promise<Row[]> {
    try {
      return Promise.resolve(this.run<Row>(sql, params));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Runs a statement at once: SQLite is in this process. */
  run<Row>(sql: string, params: readonly SqlValue[] = []): Row[] {
    const { statement, order } = this.statements.get(sql);
    const values = order.map((index) => params[index]);
    if (statement.reader) return statement.all(values) as Row[];
    statement.run(values);
    return [];
  }

  private prepare(sql: string): Prepared {
    const order: number[] = [];
    const text = sql.replace(/\$(\d+)/g, (_, position: string) => {
      order.push(Number(position) - 1);
      return '?';
    });
    return { statement: this.connection.prepare(text), order };
  }
}
