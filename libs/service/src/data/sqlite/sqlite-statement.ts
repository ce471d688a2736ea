import type { SQLInputValue, StatementSync } from 'node:sqlite';

import { withResultCode } from './result-codes.js';

/** What {@link SqliteStatement.run} did. */
export interface RunResult {
  /** Rows inserted, changed or deleted. */
  readonly changes: number | bigint;
  readonly lastInsertRowid: number | bigint;
}

/**
 * A prepared statement. Integers are numbers, BLOBs are `Uint8Array`.
 * @typeParam Params the values of its `?`, in their order.
 * @typeParam Row an object with a property for each column; after {@link raw}, the array of their values.
 */
export class SqliteStatement<Params extends readonly unknown[] = readonly unknown[], Row = unknown> {
  /** Whether it gives rows. */
  readonly reader: boolean;

  constructor(private readonly statement: StatementSync) {
    this.reader = statement.columns().length > 0;
  }

  /** @returns its rows. @throws {Error} with SQLite's `code`, such as `SQLITE_BUSY`. */
  all(...params: Params): Row[] {
    try {
      return this.statement.all(...(params as readonly SQLInputValue[] as SQLInputValue[])) as Row[];
    } catch (error) {
      throw withResultCode(error);
    }
  }

  /** @returns its first row. @throws {Error} with SQLite's `code`. */
  get(...params: Params): Row | undefined {
    try {
      return this.statement.get(...(params as readonly SQLInputValue[] as SQLInputValue[])) as Row | undefined;
    } catch (error) {
      throw withResultCode(error);
    }
  }

  /** @throws {Error} with SQLite's `code`. */
  run(...params: Params): RunResult {
    try {
      return this.statement.run(...(params as readonly SQLInputValue[] as SQLInputValue[]));
    } catch (error) {
      throw withResultCode(error);
    }
  }

  /** Reads its rows one by one. @throws {Error} with SQLite's `code`. */
  *iterate(...params: Params): Generator<Row, void, undefined> {
    try {
      yield* this.statement.iterate(...(params as readonly SQLInputValue[] as SQLInputValue[])) as Iterable<Row>;
    } catch (error) {
      throw withResultCode(error);
    }
  }

  /** From now on its rows are arrays of values. */
  raw(): SqliteStatement<Params, unknown[]> {
    this.statement.setReturnArrays(true);
    return this as SqliteStatement<Params> as SqliteStatement<Params, unknown[]>;
  }

  columns(): { readonly name: string }[] {
    return this.statement.columns().map(({ name }) => ({ name }));
  }
}
