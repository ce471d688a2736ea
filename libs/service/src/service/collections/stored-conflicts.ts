import { StartRefusedError } from '../../data/definition/start-refused.js';

/** Statement of a printed migration: `CREATE UNIQUE INDEX "books-unique-isbn" ON books ("isbn")`. */
const CREATE_UNIQUE = /^CREATE UNIQUE INDEX \S+ ON (\S+) \(([^()]+)\)$/;
const LISTED = 10;

type Run = (sql: string) => Promise<unknown>;

/**
 * Checks a statement that adds a unique key. Accepts other statements.
 * @throws {StartRefusedError} Stored members violate the key. Names up to ten of them.
 */
export async function requireNoConflicts(run: Run, statement: string): Promise<void> {
  const [, table = '', columns = ''] = CREATE_UNIQUE.exec(statement) ?? [];
  const conflict = table === '' ? undefined : await storedConflicts(run, table, columns);
  if (conflict !== undefined) throw new StartRefusedError(`${conflict} Change or delete them, and start again.`);
}

/** Returns a sentence that names up to ten members with equal values. @param columns Quoted, with commas. */
export async function storedConflicts(run: Run, table: string, columns: string): Promise<string | undefined> {
  const known = columns.split(', ').map((column) => `${column} IS NOT NULL`);
  const rows = (await run(
    `SELECT id FROM ${table} JOIN (SELECT ${columns} FROM ${table} WHERE ${known.join(' AND ')}
      GROUP BY ${columns} HAVING count(*) > 1) shared USING (${columns}) ORDER BY ${columns}, id LIMIT ${String(LISTED)}`,
  )) as { readonly id: string }[];
  if (rows.length === 0) return undefined;
  const [collection, fields] = [table, columns].map((names) => names.replaceAll('"', ''));
  const ids = rows.map(({ id }) => id).join(', ');
  return `Members of the collection "${String(collection)}" have the same ${String(fields)}, which must be unique: ${ids}.`;
}
