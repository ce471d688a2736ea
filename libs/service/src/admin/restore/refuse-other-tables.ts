import type { DatabaseSchema } from '../../data/database/database-options.js';
import { connectionOf } from '../../data/sqlite/typeorm-connection.js';
import { migrateSqlite, sqliteWriter } from '../../data/sqlite/sqlite-source.js';

import { OperationError } from '../session/operation-error.js';

type Connection = ReturnType<typeof connectionOf>;

/**
 * Refuses a backup with modified or handmade tables before it replaces the service's, by a comparison with a new
 * database. Additional tables are allowed.
 * @throws {OperationError} a column is missing, or a trigger is not the service's.
 */
export async function refuseOtherTables(database: Connection, schema: DatabaseSchema, backup: string): Promise<void> {
  const fresh = await sqliteWriter(':memory:', schema);
  try {
    await migrateSqlite(fresh);
    const columns = columnsOf(database);
    const missing = columnsOf(connectionOf(fresh)).find((column) => !columns.includes(column));
    if (missing !== undefined) throw new OperationError(`The backup ${backup} is damaged: it has no ${missing}.`);
    const triggers = triggersOf(connectionOf(fresh));
    const other = [...triggersOf(database)].find(([name, sql]) => triggers.get(name) !== sql);
    if (other === undefined) return;
    throw new OperationError(
      `The backup ${backup} has the trigger ${other[0]}, which is not the service's: remove it from a copy, and restore that.`,
    );
  } finally {
    await fresh.destroy();
  }
}

function columnsOf(database: Connection): string[] {
  const sql = `SELECT t.name || '.' || c.name AS name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
    WHERE t.type = 'table'`;
  return (database.prepare(sql).all() as { name: string }[]).map(({ name }) => name);
}

function triggersOf(database: Connection): Map<string, string> {
  const rows = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  return new Map((rows as { name: string; sql: string }[]).map(({ name, sql }) => [name, sql]));
}
