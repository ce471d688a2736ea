import type { Database } from '../database/database.js';
import { type CollectionDefinition, versionsOf } from './collection.js';

const COLUMNS = {
  sqlite: 'SELECT name FROM pragma_table_info($1)',
  postgres: `SELECT attname AS name FROM pg_attribute
    WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
};

export class MissingColumnError extends Error {
  constructor(collection: string, missing: readonly string[]) {
    super(
      `The collection "${collection}" needs ${missing.join(', ')} in the database: ` +
        'add a migration that creates them, and list it with the other migrations.',
    );
    this.name = 'MissingColumnError';
  }
}

/**
 * Checks at the start that the tables of members and versions have a column for each field. Otherwise requests would
 * fail with 500.
 * @throws {MissingColumnError}
 */
export async function requireColumns(
  database: Database,
  { name, columns }: Pick<CollectionDefinition<never, never>, 'name' | 'columns'>,
): Promise<void> {
  const missing: string[] = [];
  for (const table of [name, versionsOf(name)]) {
    const rows = await database.query<{ name: string }>(COLUMNS[database.dialect], [table]);
    const known = new Set(rows.map((row) => row.name));
    if (known.size === 0) missing.push(`the table ${table}`);
    else
      missing.push(...columns.filter((column) => !known.has(column.name)).map((column) => `${table}.${column.name}`));
  }
  if (missing.length > 0) throw new MissingColumnError(name, missing);
}
