import type { SQLInputValue, StatementSync } from 'node:sqlite';

import { withResultCode } from './result-codes.js';

export interface RunResult {
  readonly changes: number | bigint;
  readonly lastInsertRowid: number | bigint;
}

/**
 * A prepared statement. Integers are numbers and BLOBs are `Uint8Array`.
 * @typeParam Params Values of its `?` in order.
 * @typeParam Row Object with a property for each column, or an array of values after {@link raw}.
 */
export class SqliteStatement<Params extends readonly unknown[] = readonly unknown[], Row = unknown> {
  readonly reader: boolean;

  constructor(private readonly statement: StatementSync) {
    this.reader = statement.columns().length > 0;
  }

  /**
   * @returns All rows.
   * @throws {Error} With SQLite's `code`, such as `SQLITE_BUSY`.
   */
  all(...params: Params): Row[] {
    try {
      return this.statement.all(...(params as readonly SQLInputValue[] as SQLInputValue[])) as Row[];
    } catch (error) {
      throw withResultCode(error);
    }
  }

  /**
   * @returns The first row.
   * @throws {Error} With SQLite's `code`.
   */
  get(...params: Params): Row | undefined {
    try {
      return this.statement.get(...(params as readonly SQLInputValue[] as SQLInputValue[])) as Row | undefined;
    } catch (error) {
      throw withResultCode(error);
    }
  }

  /** @throws {Error} With SQLite's `code`. */
  run(...params: Params): RunResult {
    try {
      return this.statement.run(...(params as readonly SQLInputValue[] as SQLInputValue[]));
    } catch (error) {
      throw withResultCode(error);
    }
  }

  /**
   * Reads the rows one by one.
   * @throws {Error} With SQLite's `code`.
   */
  *iterate(...params: Params): Generator<Row, void, undefined> {
    try {
      yield* this.statement.iterate(...(params as readonly SQLInputValue[] as SQLInputValue[])) as Iterable<Row>;
    } catch (error) {
      throw withResultCode(error);
    }
  }

  raw(): SqliteStatement<Params, unknown[]> {
    this.statement.setReturnArrays(true);
    return this as SqliteStatement<Params> as SqliteStatement<Params, unknown[]>;
  }

  columns(): { readonly name: string }[] {
    return this.statement.columns().map(({ name }) => ({ name }));
  }
}
