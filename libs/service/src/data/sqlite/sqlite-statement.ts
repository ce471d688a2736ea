import type { SQLInputValue, StatementSync } from 'node:sqlite';

import { withResultCode } from './result-codes.js';

export interface RunResult {
  readonly changes: number | bigint;
  readonly lastInsertRowid: number | bigint;
}

/**
 * Integers are numbers and BLOBs are `Uint8Array`. Errors have SQLite's `code`.
 * @typeParam Row Object by column, or array after {@link raw}.
 */
export class SqliteStatement<Params extends readonly unknown[] = readonly unknown[], Row = unknown> {
  readonly reader: boolean;

  constructor(private readonly statement: StatementSync) {
    this.reader = statement.columns().length > 0;
  }

  all(...params: Params): Row[] {
    try {
      return this.statement.all(...(params as readonly SQLInputValue[] as SQLInputValue[])) as Row[];
    } catch (error) {
      throw withResultCode(error);
    }
  }

  get(...params: Params): Row | undefined {
    try {
      return this.statement.get(...(params as readonly SQLInputValue[] as SQLInputValue[])) as Row | undefined;
    } catch (error) {
      throw withResultCode(error);
    }
  }

  run(...params: Params): RunResult {
    try {
      return this.statement.run(...(params as readonly SQLInputValue[] as SQLInputValue[]));
    } catch (error) {
      throw withResultCode(error);
    }
  }

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
