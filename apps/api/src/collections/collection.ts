import type { ListRules } from '@items/paging';

import type { VersionedRow } from '../database/versioned-row.js';

/** A resource as the service shows it. SPEC §2 */
export interface Identified {
  readonly id: string;
}

/** What a collection says about itself; the rest (lists, walks, totals, versions) it gets from this folder. */
export interface CollectionDefinition<Row extends VersionedRow, Resource extends Identified, Input> extends ListRules {
  /** The table, and the list member of the answers: `items`, `api_keys`. */
  readonly name: string;
  /** One member, in words: `item`, `API key`. */
  readonly singular: string;
  readonly entity: new () => Row;
  /** Columns that a list may be sorted by; each has its indexes in the migration. */
  readonly sortable: readonly (keyof Row & string)[];
  /** Sets of filters whose totals are kept; the total of another set is counted when it is asked for. */
  readonly counted: readonly (readonly string[])[];
  /** The row as the service shows it. */
  readonly present: (row: Row) => Resource;
  /** What a valid request sets, as columns. */
  readonly accept: (input: Input) => Own<Row>;
}

/** The columns of a row that are the collection's own: without what every row carries. */
export type Own<Row extends VersionedRow> = Omit<Row, keyof VersionedRow>;

/** The version table of a collection. */
export function versionsOf(table: string): string {
  return `${table}_versions`;
}
