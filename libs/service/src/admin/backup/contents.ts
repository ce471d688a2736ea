import { OperationError } from '../session/operation-error.js';

/** What is in a backup. */
export interface Contents {
  /** When it was made, as in RFC 3339. */
  readonly madeAt: string;
  /** Names of the migrations that its tables have been through. */
  readonly migrations: readonly string[];
  /** How many rows each of its tables has. */
  readonly rows: Readonly<Record<string, number>>;
}

/** The rows of all tables. */
export function totalOf({ rows }: Pick<Contents, 'rows'>): number {
  return Object.values(rows).reduce((total, count) => total + count, 0);
}

/** In words, such as `1234 rows in 20 tables`. */
export function contentsInWords(contents: Pick<Contents, 'rows'>): string {
  return `${String(totalOf(contents))} rows in ${String(Object.keys(contents.rows).length)} tables`;
}

/** Tables that have rows in every database of a service: its clocks, and what it has made itself. */
const NEVER_EMPTY = ['collection_lanes', 'settings'];

/** @throws {OperationError} there are no rows without which a service does not work. */
export function refuseEmpty(rows: Contents['rows'], file: string): void {
  const empty = NEVER_EMPTY.find((table) => !Object.hasOwn(rows, table) || rows[table] === 0);
  if (empty === undefined) return;
  throw new OperationError(`The backup ${file} is damaged: it has no rows of ${empty}.`);
}
