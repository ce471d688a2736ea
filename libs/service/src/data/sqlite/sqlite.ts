import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

import { nodeSqlite } from '../database/node-sqlite.js';
import { withResultCode } from './result-codes.js';
import { SqliteStatement } from './sqlite-statement.js';

/** How a file is opened. */
export interface SqliteOptions {
  readonly readonly?: boolean;
  /** A missing file is an error; by default, it is made. */
  readonly fileMustExist?: boolean;
  /** How long a statement waits, and blocks the process, while another connection holds the lock; 5000 ms by default. */
  readonly timeout?: number;
}

/**
 * A connection to a SQLite file through `node:sqlite`, with as much of better-sqlite3's interface as TypeORM's driver and
 * the store use. ADR 75
 */
export class Sqlite {
  /** Node's own connection. */
  readonly database: DatabaseSync;

  /**
   * @param file a path, `:memory:`, or '' for a temporary file.
   * @throws {Error} with SQLite's `code`: the file cannot be opened.
   */
  constructor(file: string, { readonly = false, fileMustExist = false, timeout = 5000 }: SqliteOptions = {}) {
    if (fileMustExist && !existsSync(file)) {
      throw Object.assign(new Error(`There is no database file ${file}`), { code: 'SQLITE_CANTOPEN' });
    }
    const { DatabaseSync } = nodeSqlite();
    try {
      this.database = new DatabaseSync(file, { readOnly: readonly, timeout });
    } catch (error) {
      throw withResultCode(error);
    }
  }

  get inTransaction(): boolean {
    return this.database.isTransaction;
  }

  /** @throws {Error} with SQLite's `code`. */
  prepare<Params extends readonly unknown[] = readonly unknown[], Row = unknown>(
    sql: string,
  ): SqliteStatement<Params, Row> {
    try {
      return new SqliteStatement(this.database.prepare(sql));
    } catch (error) {
      throw withResultCode(error);
    }
  }

  /** Runs statements without parameters. @throws {Error} with SQLite's `code`. */
  exec(sql: string): this {
    try {
      this.database.exec(sql);
      return this;
    } catch (error) {
      throw withResultCode(error);
    }
  }

  /** @returns the rows of a PRAGMA; with `simple`, the first value of the first row. */
  pragma(sql: string, { simple = false }: { readonly simple?: boolean } = {}): unknown {
    const statement = this.prepare(`PRAGMA ${sql}`);
    return simple ? statement.raw().get()?.[0] : statement.all();
  }

  /** Makes a function for statements; what it throws ends the statement, which throws it. */
  function(name: string, fn: () => number): this {
    this.database.function(name, { deterministic: false }, fn);
    return this;
  }

  /** A second time does nothing. */
  close(): void {
    if (this.database.isOpen) this.database.close();
  }
}
