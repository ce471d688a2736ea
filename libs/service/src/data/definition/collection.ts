import type { ApiError } from '@items/conventions';
import type { DtoClass } from '@items/fields';
import type { ListRules } from '@items/paging';
import type { Database, RowValues, SqlValue } from '../database/database.js';
import type { Column } from '../schema/columns.js';
import type { VersionedRow } from '../database/versioned-row.js';
import type { CollectionAudit, CollectionEvents } from './change-recorder.js';
import type { StoredRules } from './collection-rules.js';
import type { StoredReference } from './references.js';
import type { UniqueKey } from './unique-keys.js';

export interface HasId {
  readonly id: string;
}

/** In the order of the table in SPEC §4. */
export const METHODS = ['list', 'create', 'get', 'replace', 'remove'] as const;
export type Method = (typeof METHODS)[number];

export type Values = Readonly<Record<string, SqlValue>>;

/**
 * A complete definition, built by `defineCollection` or `collection()`.
 * @typeParam Resource Public member.
 * @typeParam Input Body of POST and PUT.
 * @typeParam Hidden Types of the hidden columns by name.
 */
export interface CollectionDefinition<Resource extends HasId, Input, Hidden = unknown> extends ListRules {
  /** Name of the table and of the list in responses: `items`, `api_keys`. */
  readonly name: string;
  readonly singular: string;
  readonly parent: string | undefined;
  readonly foreignKey?: { readonly table: string; readonly singular: string };
  /** Columns with ids of other members, the parent first. */
  readonly references?: readonly StoredReference[];
  /**
   * Unique keys in the order of declaration: a conflict names the first violated key. Without keys, the caller gets the
   * error of the database.
   */
  readonly unique?: readonly UniqueKey[];
  readonly ownFields?: readonly string[];
  readonly dto: DtoClass<Input & object>;
  /** Class that Nest passes to pipes as `metatype`. Default: `dto`. */
  readonly metatype?: DtoClass<Input & object>;
  readonly decorators?: readonly ClassDecorator[];
  /** Operations that are served. Default: all. */
  readonly methods?: readonly Method[];
  readonly rules?: StoredRules<Resource, Input>;
  /** Errors of the rules in the API document. Default for an operation with a rule: 403, 404 and 409. */
  readonly ruleErrors?: Readonly<Partial<Record<'create' | 'replace' | 'remove', readonly ApiError[]>>>;
  readonly settable?: ReadonlySet<string>;
  /** Validates writes with a `tx` and results of rules. Default: no validation. */
  readonly stored?: DtoClass;
  /** True if events may show members to callers whom guards among `decorators` would refuse. */
  readonly eventsUnguarded?: boolean;
  readonly immutable: boolean;
  readonly columns: readonly Column[];
  /** Maximum JSON bytes of each sortable field in a cursor, except for the times. */
  readonly keyBytes: Readonly<Record<string, number>>;
  /** Sets of filter fields whose totals each write maintains. Other totals are counted on request. */
  readonly countedFilters: readonly (readonly string[])[];
  /** Maximum number of members per read. Large members lower this number. Default: 100. */
  readonly rowsPerRead?: number;
  /** Identifies the form of the JSON. Entity tags end with this text. */
  readonly representation: string;
  readonly present: (row: VersionedRow) => Resource;
  /** Writes the same as `JSON.stringify(present(row))`, but costs less. */
  readonly toJson: (row: VersionedRow) => string;
  readonly valuesToJson: (values: RowValues) => string;
  readonly formerToJson: (before: VersionedRow, after: VersionedRow) => string;
  readonly changedFields: (before: VersionedRow, after: VersionedRow) => string[];
  readonly read: (row: VersionedRow) => StoredMember<Resource, Hidden>;
  /** Ignores undefined values and fields without a column. */
  readonly store: (fields: Fields<Resource, Hidden>) => Values;
  /** An undefined field gets its default, or null. */
  readonly storeNew: (fields: Fields<Resource, Hidden>) => Values;
  readonly computed?: ComputedColumns;
  readonly onlyFromPrimary?: boolean;
  readonly events?: string | CollectionEvents<Resource>;
  readonly audit?: CollectionAudit;
  /** Checks the table at the start. Default: each field needs a column. */
  readonly requireTable?: (database: Database) => Promise<void>;
}

export interface ComputedColumns {
  readonly names: readonly string[];
  readonly of: (row: Values) => Values;
}

export type StoredMember<Resource, Hidden> = Omit<Resource, keyof Hidden> & Hidden;

/** Writable fields. An update leaves undefined fields unchanged. */
export type Fields<Resource, Hidden = unknown> = {
  readonly [Field in Exclude<keyof StoredMember<Resource, Hidden>, keyof Stamps>]?:
    StoredMember<Resource, Hidden>[Field] | undefined;
};

/** Fields that every member has and only the service sets. */
export interface Stamps extends HasId {
  readonly created_at: string;
  readonly updated_at: string;
}

export function versionsOf(table: string): string {
  return `${table}_versions`;
}
