import type { DtoClass } from '@items/fields';
import type { ListRules } from '@items/paging';
import type { Database, RowValues, SqlValue } from '../database/database.js';
import type { Column } from '../schema/columns.js';
import type { VersionedRow } from '../database/versioned-row.js';

import type { CollectionAudit, CollectionEvents } from './change-recorder.js';

/** A resource as the service shows it. SPEC §2 */
export interface Identified {
  readonly id: string;
}

/** Values of columns, by the columns' names. */
export type Values = Readonly<Record<string, SqlValue>>;

/**
 * What a collection says about itself; the rest (lists, walks, totals, versions) it gets from this folder.
 * @typeParam Resource a member as it is shown.
 * @typeParam Input what POST and PUT accept.
 * @typeParam Hidden columns that are not shown as they stand, by name.
 */
export interface CollectionDefinition<Resource extends Identified, Input, Hidden = unknown> extends ListRules {
  /** The table, and the list member of the answers: `items`, `api_keys`. */
  readonly name: string;
  /** One member, in words: `item`, `API key`. */
  readonly singular: string;
  /** The column that the path of a nested collection says, such as `user_id`; undefined for one that is not nested. */
  readonly parent: string | undefined;
  /** The database keeps no member without the row of its parent: its table, and one of its members in words. */
  readonly keptBy?: { readonly table: string; readonly singular: string };
  /** Names of the fields that a team declared, without those that every member has. */
  readonly ownFields?: readonly string[];
  /** The class whose decorators say what the fields are. */
  readonly dto: DtoClass<Input & object>;
  /** The class that pipes of Nest get as `metatype`; default: `dto`. */
  readonly metatype?: DtoClass<Input & object>;
  /** Class decorators of Nest for the routes of the collection. */
  readonly decorators?: readonly ClassDecorator[];
  /** Whether events may show members to callers whom guards among `decorators` would refuse. */
  readonly eventsUnguarded?: boolean;
  /** Whether members never change, and so show no `updated_at`. */
  readonly unchanging: boolean;
  /** Of the table: those that every row carries, then its own. */
  readonly columns: readonly Column[];
  /** Bytes of JSON that each sortable field takes in a cursor at most; the times are left out. */
  readonly keyBytes: Readonly<Record<string, number>>;
  /** Sets of filters whose totals are kept; the total of another set is counted when it is asked for. */
  readonly counted: readonly (readonly string[])[];
  /** So many members are read at once for a page, since they may be large; 100 where it is left out. */
  readonly rowsAtOnce?: number;
  /** Identifies the form of the JSON; entity tags end with it. */
  readonly representation: string;
  /** The row as the service shows it. */
  readonly present: (row: VersionedRow) => Resource;
  /** The same as JSON, for less than it costs to make it and write it. */
  readonly toJson: (row: VersionedRow) => string;
  /** The same of a row's values, in the order of the columns. */
  readonly valuesToJson: (values: RowValues) => string;
  /** JSON of what was shown of a row before, where something else is shown of it after a change. */
  readonly formerToJson: (before: VersionedRow, after: VersionedRow) => string;
  /** Names of the fields that are shown otherwise after a change, without `updated_at`. */
  readonly changedFields: (before: VersionedRow, after: VersionedRow) => string[];
  /** All that is kept of a member: what is shown of it, and its hidden columns in their places. */
  readonly read: (row: VersionedRow) => Kept<Resource, Hidden>;
  /** Fields as columns; what is undefined, and what is no field with a column, is left out. */
  readonly store: (fields: Fields<Resource, Hidden>) => Values;
  /** The same for a new member: what is undefined has its first value, else null. */
  readonly storeNew: (fields: Fields<Resource, Hidden>) => Values;
  /** Columns that are filled at each write. */
  readonly computed?: ComputedColumns;
  /** It is never read from a standby: what grants or refuses access must not lag. */
  readonly onlyFromPrimary?: boolean;
  /** Its writes make events, of this subject: `item`, for `item.created`. None are made where it is left out. */
  readonly events?: string | CollectionEvents<Resource>;
  /** How its changes are audited; as its events are named where it is left out. */
  readonly audit?: CollectionAudit;
  /** Judges the table at the start; without it, each field needs a column. */
  readonly requireTable?: (database: Database) => Promise<void>;
}

/** Columns that follow from the other ones of their row. */
export interface ComputedColumns {
  readonly names: readonly string[];
  /** Their values in a row. @throws {TypeError} one is neither true nor false. */
  readonly of: (row: Values) => Values;
}

/** All that is kept of a member. */
export type Kept<Resource, Hidden> = Omit<Resource, keyof Hidden> & Hidden;

/** What may be written of a member, by field; what is undefined is left as it is. */
export type Fields<Resource, Hidden = unknown> = {
  readonly [Field in Exclude<keyof Kept<Resource, Hidden>, keyof Stamps>]?: Kept<Resource, Hidden>[Field] | undefined;
};

/** What every member has, and no service writes. */
export interface Stamps extends Identified {
  readonly created_at: string;
  readonly updated_at: string;
}

/** The version table of a collection. */
export function versionsOf(table: string): string {
  return `${table}_versions`;
}
