import type { DatabaseSchema } from '../../data/database/database-options.js';
import { requireBaselines } from '../../data/database/migrations.js';
import { migrateSqlite, sqliteWriter } from '../../data/sqlite/sqlite-source.js';
import { connectionOf } from '../../data/sqlite/typeorm-connection.js';

/**
 * Both databases have the same tables. @param only migrations that have run in the database.
 * @throws {DatabaseTooOldError}
 */
export async function serviceTables(schema: DatabaseSchema, only: readonly string[]): Promise<ReadonlySet<string>> {
  requireBaselines(schema, only);
  const fresh = await sqliteWriter(':memory:', { ...schema, only });
  try {
    await migrateSqlite(fresh);
    const rows = connectionOf(fresh).prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    return new Set((rows as { name: string }[]).map(({ name }) => name));
  } finally {
    await fresh.destroy();
  }
}

/** Tables in a backup that belong to the team, not to the service. */
export interface OwnTables {
  readonly onlyService: boolean;
  readonly include: readonly string[];
}
