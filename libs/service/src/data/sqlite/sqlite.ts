import { existsSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue, StatementResultingChanges, StatementSync } from 'node:sqlite';
import { nodeSqlite } from '../database/node-sqlite.js';
import { withResultCode, withResultCodes } from './result-codes.js';

export interface SqliteOptions {
  readonly readonly?: boolean;
  readonly fileMustExist?: boolean;
  /** Milliseconds for which a locked database blocks the process. Default: 5000. */
  readonly timeout?: number;
}

/** The part of better-sqlite3 that TypeORM and the store use, on `node:sqlite`. Errors have SQLite's `code`. ADR 1 */
export class Sqlite {
  readonly database: DatabaseSync;

  /** @param file Path, `:memory:`, or '' for a temporary file. */
  constructor(file: string, { readonly = false, fileMustExist = false, timeout = 5000 }: SqliteOptions = {}) {
    if (fileMustExist && !existsSync(file)) {
      throw Object.assign(new Error(`There is no database file ${file}`), { code: 'SQLITE_CANTOPEN' });
    }
    const { DatabaseSync } = nodeSqlite();
    this.database = withResultCodes(() => new DatabaseSync(file, { readOnly: readonly, timeout }));
  }

  get inTransaction(): boolean {
    return this.database.isTransaction;
  }

  prepare<Params extends readonly unknown[] = readonly unknown[], Row = unknown>(
    sql: string,
  ): SqliteStatement<Params, Row> {
    return withResultCodes(() => new SqliteStatement(this.database.prepare(sql)));
  }

  exec(sql: string): this {
    withResultCodes(() => {
      this.database.exec(sql);
    });
    return this;
  }

  pragma(sql: string, { simple = false }: { readonly simple?: boolean } = {}): unknown {
    const statement = this.prepare(`PRAGMA ${sql}`);
    return simple ? statement.raw().get()?.[0] : statement.all();
  }

  function(name: string, fn: () => number): this {
    this.database.function(name, { deterministic: false }, fn);
    return this;
  }

  close(): void {
    if (this.database.isOpen) this.database.close();
  }
}

/**
 * Returns integers as numbers and BLOBs as `Uint8Array`.
 * @typeParam Row Object by column, or array after {@link raw}.
 */
class SqliteStatement<Params extends readonly unknown[] = readonly unknown[], Row = unknown> {
  readonly reader: boolean;

  constructor(private readonly statement: StatementSync) {
    this.reader = statement.columns().length > 0;
  }

  all(...params: Params): Row[] {
    return withResultCodes(() => this.statement.all(...inputs(params)) as Row[]);
  }

  get(...params: Params): Row | undefined {
    return withResultCodes(() => this.statement.get(...inputs(params)) as Row | undefined);
  }

  run(...params: Params): StatementResultingChanges {
    return withResultCodes(() => this.statement.run(...inputs(params)));
  }

  *iterate(...params: Params): Generator<Row, void, undefined> {
    try {
      yield* this.statement.iterate(...inputs(params)) as Iterable<Row>;
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

function inputs(params: readonly unknown[]): SQLInputValue[] {
  return params as SQLInputValue[];
}
