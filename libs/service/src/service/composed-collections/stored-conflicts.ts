import { StartRefusedError } from '../../data/definition/start-refused.js';

/** Statement of a printed migration: `CREATE UNIQUE INDEX "books-unique-isbn" ON books ("isbn")`. */
const CREATE_UNIQUE = /^CREATE UNIQUE INDEX \S+ ON (\S+) \(([^()]+)\)$/;
const LISTED = 10;

type Run = (sql: string) => Promise<unknown>;

/**
 * Refuses to add a unique key that stored members contradict.
 * @param statement other statements are accepted.
 * @throws {StartRefusedError} Names ten of the members.
 */
export async function requireNoConflicts(run: Run, statement: string): Promise<void> {
  const [, table = '', columns = ''] = CREATE_UNIQUE.exec(statement) ?? [];
  if (table === '') return;
  const ids = await conflictingMembers(run, table, columns);
  if (ids.length === 0) return;
  throw new StartRefusedError(`${sentenceFor(table, columns, ids)} Change or delete them, and start again.`);
}

/** Returns a sentence that names ten members. @param columns List of quoted columns. */
export async function storedConflicts(run: Run, table: string, columns: string): Promise<string | undefined> {
  const ids = await conflictingMembers(run, table, columns);
  return ids.length === 0 ? undefined : sentenceFor(table, columns, ids);
}

async function conflictingMembers(run: Run, table: string, columns: string): Promise<readonly string[]> {
  const known = columns.split(', ').map((column) => `${column} IS NOT NULL`);
  const rows = (await run(
    `SELECT id FROM ${table} JOIN (SELECT ${columns} FROM ${table} WHERE ${known.join(' AND ')}
      GROUP BY ${columns} HAVING count(*) > 1) shared USING (${columns}) ORDER BY ${columns}, id LIMIT ${String(LISTED)}`,
  )) as { readonly id: string }[];
  return rows.map(({ id }) => id);
}

function sentenceFor(table: string, columns: string, ids: readonly string[]): string {
  const [collection, fields] = [table, columns].map((names) => names.replaceAll('"', ''));
  return `Members of the collection "${String(collection)}" have the same ${String(fields)}, which shall be unique: ${ids.join(', ')}.`;
}
