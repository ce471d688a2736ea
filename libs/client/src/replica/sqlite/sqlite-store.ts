import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Identified, ReplicaStore } from '../store.js';

/** `writer` is the id of the process that may write: the last process that called `load`. */
const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA busy_timeout = 5000;
  PRAGMA secure_delete = ON;
  CREATE TABLE IF NOT EXISTS rows (id TEXT PRIMARY KEY, row TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS state (position TEXT NOT NULL, writer TEXT NOT NULL) STRICT;
`;

/**
 * Stores a copy in an SQLite file. The table `rows` contains the JSON of each row, so reports can read the copy at any time.
 * @param path The file is created with mode 0600.
 * @param options Owner of the rows, unless it is passed to `createReplica`.
 */
export function sqliteStore<Row extends Identified>(
  path: string,
  { owner }: { readonly owner?: string | undefined } = {},
): ReplicaStore<Row> {
  const writer = crypto.randomUUID();
  let database: DatabaseSync | undefined;

  const opened = (): DatabaseSync => (database ??= open(path));
  const transaction = <T>(run: (on: DatabaseSync) => T): T => {
    const on = opened();
    on.exec('BEGIN IMMEDIATE');
    try {
      const result = run(on);
      on.exec('COMMIT');
      return result;
    } catch (error) {
      if (on.isTransaction) on.exec('ROLLBACK');
      throw error;
    }
  };
  const write = (upserted: readonly Row[], deleted: readonly string[], position: string): void => {
    const on = opened();
    const { changes } = on.prepare('UPDATE state SET position = ? WHERE writer = ?').run(position, writer);
    if (changes !== 1) throw new Error('Another process writes the copy in this file');
    const upsert = on.prepare('INSERT INTO rows VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET row = excluded.row');
    const remove = on.prepare('DELETE FROM rows WHERE id = ?');
    for (const row of upserted) upsert.run(row.id, JSON.stringify(row));
    for (const id of deleted) remove.run(id);
  };

  return {
    owner,
    load: () =>
      transaction((on) => {
        const { position = '' } = (on.prepare('SELECT position FROM state').get() ?? {}) as { position?: string };
        on.exec('DELETE FROM state');
        on.prepare('INSERT INTO state VALUES (?, ?)').run(position, writer);
        const rows = on.prepare('SELECT row FROM rows ORDER BY id').all() as { row: string }[];
        return { rows: rows.map(({ row }) => JSON.parse(row) as Row), position };
      }),
    apply: ({ upserted, deleted, position }) => transaction(() => write(upserted, deleted, position)),
    replace: ({ rows, position }) =>
      transaction((on) => {
        on.exec('DELETE FROM rows');
        write(rows, [], position);
      }),
    close: () => {
      database?.close();
      database = undefined;
    },
  };
}

function open(path: string): DatabaseSync {
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const database = new DatabaseSync(path);
  try {
    database.exec(SCHEMA);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}
