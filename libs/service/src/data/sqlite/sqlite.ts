import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

import { nodeSqlite } from '../database/node-sqlite.js';
import { withResultCode } from './result-codes.js';
import { SqliteStatement } from './sqlite-statement.js';

export interface SqliteOptions {
  readonly readonly?: boolean;
  readonly fileMustExist?: boolean;
  /** Milliseconds for which a locked database blocks the process. Default: 5000. */
  readonly timeout?: number;
}

/**
 * Implements with `node:sqlite` the part of better-sqlite3 that TypeORM and the store use. Errors have SQLite's `code`.
 * ADR 1
 */
export class Sqlite {
  readonly database: DatabaseSync;

  /** @param file Path, `:memory:`, or '' for a temporary file. */
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

  prepare<Params extends readonly unknown[] = readonly unknown[], Row = unknown>(
    sql: string,
  ): SqliteStatement<Params, Row> {
    try {
      return new SqliteStatement(this.database.prepare(sql));
    } catch (error) {
      throw withResultCode(error);
    }
  }

  exec(sql: string): this {
    try {
      this.database.exec(sql);
      return this;
    } catch (error) {
      throw withResultCode(error);
    }
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
