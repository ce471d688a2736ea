import type * as NodeSqlite from 'node:sqlite';

/** Loaded on demand: the client's tests also run on Node 20, which has no SQLite. */
export const nodeSqlite = (): typeof NodeSqlite => process.getBuiltinModule('node:sqlite');

/** A test's own connection to the file that a service uses. */
export interface SqliteFile {
  /** @throws {Error} the message of SQLite. */
  exec(sql: string): void;
  close(): void;
}

/** Opens the file of a `DATABASE_URL` as another process would. */
export function openSqliteFile(url: string): SqliteFile {
  const { DatabaseSync } = nodeSqlite();
  const connection = new DatabaseSync(url.replace('sqlite:', ''), { timeout: 5000 });
  return {
    exec: (sql) => connection.exec(sql),
    close: () => connection.close(),
  };
}
