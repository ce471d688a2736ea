import { Sqlite } from '@items/sqlite-driver';

/** A connection of a test's own to the file that a service uses. */
export interface SqliteFile {
  /** Runs statements. @throws {Error} with SQLite's `code`. */
  exec(sql: string): void;
  close(): void;
}

/** Opens the file of a `DATABASE_URL`, as another process might. */
export function openSqliteFile(url: string): SqliteFile {
  const connection = new Sqlite(url.replace('sqlite:', ''));
  return {
    exec: (sql) => void connection.exec(sql),
    close: () => connection.close(),
  };
}
