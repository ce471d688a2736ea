import type * as NodeSqlite from 'node:sqlite';

/** Node's own SQLite, loaded when a test asks for it: clients' tests also run on Node 20, which has none. */
export const nodeSqlite = (): typeof NodeSqlite => process.getBuiltinModule('node:sqlite');

/** A connection of a test's own to the file that a service uses. */
export interface SqliteFile {
  /** Runs statements. @throws {Error} what SQLite says. */
  exec(sql: string): void;
  close(): void;
}

/** Opens the file of a `DATABASE_URL`, as another process might. */
export function openSqliteFile(url: string): SqliteFile {
  const { DatabaseSync } = nodeSqlite();
  const connection = new DatabaseSync(url.replace('sqlite:', ''), { timeout: 5000 });
  return {
    exec: (sql) => connection.exec(sql),
    close: () => connection.close(),
  };
}
