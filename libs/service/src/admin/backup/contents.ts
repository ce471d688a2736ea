import { OperationError } from '../session/operation-error.js';
import type { PlainTable } from './plain-table.js';

export interface Contents {
  readonly madeAt: string;
  readonly migrations: readonly string[];
  readonly rows: Readonly<Record<string, number>>;
  /** Definitions of tables of the team in a backup of PostgreSQL. */
  readonly included?: Readonly<Record<string, PlainTable>>;
}

export function totalOf({ rows }: Pick<Contents, 'rows'>): number {
  return Object.values(rows).reduce((total, count) => total + count, 0);
}

export function contentsInWords(contents: Pick<Contents, 'rows'>): string {
  return `${String(totalOf(contents))} rows in ${String(Object.keys(contents.rows).length)} tables`;
}

/** Every service has clocks and generated settings. */
const NEVER_EMPTY = ['collection_lanes', 'settings'];

/** @throws {OperationError} rows are missing that every service needs. */
export function refuseEmpty(rows: Contents['rows'], file: string): void {
  const empty = NEVER_EMPTY.find((table) => !Object.hasOwn(rows, table) || rows[table] === 0);
  if (empty === undefined) return;
  throw new OperationError(`The backup ${file} is damaged: it has no rows of ${empty}.`);
}
