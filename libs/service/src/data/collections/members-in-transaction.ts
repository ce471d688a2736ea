import type { FilterRule } from '@items/paging';
import type { Transaction } from '../database/database.js';
import type { VersionedRow } from '../database/versioned-row.js';
import type { CollectionDefinition, Fields, HasId } from '../definition/collection.js';
import { ALL_PARENTS } from '../definition/parent-keys.js';
import type { CollectionService } from './collection-service.js';
import { Parameters } from '../lists/page-statement.js';
import { sqlName } from '../schema/quoted.js';
import { openCollectionOf } from './open-collections.js';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

type FilterValue = string | number | boolean | null;

interface MembersQuery {
  /** Values by filterable field or parent column: `{ author: 'Austen' }`. Null selects members without a value. */
  readonly filter?: Readonly<Record<string, FilterValue | readonly FilterValue[]>>;
  /** Sort keys as in the query of a list: `-year,title`. Default: the order of creation. */
  readonly sort?: string;
  /** From 1 to 1000. Default: 100. */
  readonly limit?: number;
}

export interface UpdateOptions {
  /** Last part of the event's type, one of the collection's `kinds`. Default: `updated`. */
  readonly kind?: string;
}

/** Reads and writes of a collection within a transaction. Writes are validated, make events and run no rules. */
export interface MembersInTransaction<Resource extends HasId> {
  /**
   * Locks the member until the transaction ends.
   * @throws {ResourceNotFoundError} 404
   */
  get(tx: Transaction, id: string): Promise<Resource>;
  /** Locks nothing. Unknown ids are missing from the result. */
  getAll(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, Resource>>;
  list(tx: Transaction, query?: MembersQuery): Promise<readonly Resource[]>;
  /**
   * Omitted fields get their defaults, or null.
   * @throws {ValidationError} 422
   */
  insert(tx: Transaction, fields: Fields<Resource>): Promise<Resource>;
  /**
   * Changes only the given fields.
   * @throws {ResourceNotFoundError} 404
   * @throws {ValidationError} 422
   */
  update(tx: Transaction, id: string, fields: Fields<Resource>, options?: UpdateOptions): Promise<Resource>;
  /** @throws {ResourceNotFoundError} 404 */
  delete(tx: Transaction, id: string): Promise<void>;
}

type Listed<Resource extends HasId> = Pick<
  CollectionDefinition<Resource, never>,
  'name' | 'parent' | 'columns' | 'filters' | 'sortable' | 'present'
>;

export function membersInTransaction<Resource extends HasId>(
  definitionOf: () => Listed<Resource> & Pick<CollectionDefinition<Resource, never>, 'events'>,
): MembersInTransaction<Resource> {
  const serviceIn = (tx: Transaction): CollectionService<Resource, never> =>
    openCollectionOf(tx, definitionOf()) as CollectionService<Resource, never>;
  return {
    get: async (tx, id) => serviceIn(tx).lock(tx, id),
    getAll: async (tx, ids) => serviceIn(tx).getAll(tx, ids),
    list: async (tx, query) => {
      serviceIn(tx);
      return listInTransaction(tx, definitionOf(), query);
    },
    insert: async (tx, fields) => (await serviceIn(tx).insert(tx, fields)).resource,
    update: async (tx, id, fields, { kind } = {}) => {
      const note = { event: requireKind(definitionOf(), kind) };
      return (await serviceIn(tx).update(tx, id, fields, undefined, ALL_PARENTS, note)).resource;
    },
    delete: async (tx, id) => serviceIn(tx).delete(tx, id, undefined, ALL_PARENTS),
  };
}

function requireKind(
  { name, events }: { readonly name: string; readonly events?: string | { readonly kinds?: readonly string[] } },
  kind: string | undefined,
): string | undefined {
  const kinds = typeof events === 'object' ? events.kinds : undefined;
  if (events === undefined || (kinds === undefined && kind === undefined)) return kind;
  if (kinds?.includes(kind ?? 'updated') === true) return kind;
  throw new Error(`"${kind ?? 'updated'}" is not an event kind of "${name}".`);
}

/** @throws {Error} A filter or sort field is unknown, or the limit is out of range. */
async function listInTransaction<Resource extends HasId>(
  tx: Transaction,
  definition: Listed<Resource>,
  { filter = {}, sort, limit = DEFAULT_LIMIT }: MembersQuery = {},
): Promise<readonly Resource[]> {
  const { name, columns, present } = definition;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new Error(`"limit" of a list of "${name}" is a whole number from 1 to ${String(MAX_LIMIT)}.`);
  }
  const params = new Parameters();
  const conditions = Object.entries(filter).map(([field, values]) =>
    condition(definition, field, [values].flat(), params),
  );
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const order = [...sortTerms(definition, sort), 'id'].join(', ');
  const sql = `SELECT ${columns.map((column) => sqlName(column.name)).join(', ')}
    FROM ${sqlName(name)}${where} ORDER BY ${order} LIMIT ${params.add(limit)}`;
  return (await tx.query<VersionedRow>(sql, params.values)).map(present);
}

function condition(
  { name, parent, filters }: Pick<Listed<never>, 'name' | 'parent' | 'filters'>,
  field: string,
  values: readonly FilterValue[],
  params: Parameters,
): string {
  const rule: Pick<FilterRule, 'parse'> | undefined = field === parent ? { parse: (id) => id } : filters[field];
  if (rule === undefined)
    throw new Error(`Lists of "${name}" have no filter "${field}": add @Filterable() to the field.`);
  const stored = values.map((value) => (value === null ? null : rule.parse(String(value))));
  const terms = stored.filter((value) => value !== null && value !== undefined).map((value) => params.add(value));
  const alternatives = [
    ...(terms.length > 0 ? [`${sqlName(field)} IN (${terms.join(', ')})`] : []),
    ...(stored.includes(null) ? [`${sqlName(field)} IS NULL`] : []),
  ];
  return alternatives.length === 0 ? '1 = 0' : `(${alternatives.join(' OR ')})`;
}

function sortTerms({ name, sortable }: Pick<Listed<never>, 'name' | 'sortable'>, sort: string | undefined): string[] {
  return (sort?.split(',') ?? []).map((element) => {
    const descending = element.startsWith('-');
    const field = descending ? element.slice(1) : element;
    if (sortable.includes(field)) return `${sqlName(field)} ${descending ? 'DESC' : 'ASC'} NULLS LAST`;
    throw new Error(`Lists of "${name}" cannot be sorted by "${field}": add @Sortable() to the field.`);
  });
}
