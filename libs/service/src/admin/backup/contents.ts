import type { DatabaseSchema } from '../../data/database/database-options.js';
import { requireBaselines } from '../../data/database/migrations.js';
import { OperationError } from '../session/operation-error.js';
import { tableNames, withMigratedSqlite } from '../session/sqlite-session.js';
import type { PlainTable } from './plain-table.js';

export interface Contents {
  readonly madeAt: string;
  readonly migrations: readonly string[];
  readonly rows: Readonly<Record<string, number>>;
  /** Definitions of the tables that `--include` adds on PostgreSQL. */
  readonly included?: Readonly<Record<string, PlainTable>>;
}

export function formatContents({ rows }: Pick<Contents, 'rows'>): string {
  const counts = Object.values(rows);
  return `${String(counts.reduce((total, count) => total + count, 0))} rows in ${String(counts.length)} tables`;
}

/** Tables with rows in every database of a service: its clocks and generated settings. */
const NEVER_EMPTY = ['collection_lanes', 'settings'];

/** @throws {OperationError} a table of {@link NEVER_EMPTY} has no rows. */
export function refuseEmpty(rows: Contents['rows'], file: string): void {
  const empty = NEVER_EMPTY.find((table) => !Object.hasOwn(rows, table) || rows[table] === 0);
  if (empty === undefined) return;
  throw new OperationError(`The backup ${file} is damaged: it has no rows of ${empty}.`);
}

/** Backup options for tables that the service did not create. */
export interface TeamTables {
  readonly onlyService: boolean;
  readonly include: readonly string[];
}

/**
 * Returns the tables that migrations create. Runs the migrations on SQLite in memory: PostgreSQL gets the same tables.
 * @param only Names of the migrations to run.
 * @throws {DatabaseTooOldError} `only` has some, but not all, migrations that a baseline replaces.
 */
export async function serviceTables(schema: DatabaseSchema, only: readonly string[]): Promise<ReadonlySet<string>> {
  requireBaselines(schema, only);
  return withMigratedSqlite(':memory:', { ...schema, only }, (fresh) => new Set(tableNames(fresh)));
}
