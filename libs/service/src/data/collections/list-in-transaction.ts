import type { FilterRule } from '@items/paging';
import type { SqlValue, Transaction } from '../database/database.js';
import type { VersionedRow } from '../database/versioned-row.js';
import type { CollectionDefinition, Identified } from '../definition/collection.js';
import { sqlName } from '../schema/quoted.js';

type FilterValue = string | number | boolean | null;

export interface MembersQuery {
  /** Values by filterable field or parent column: `{ author: 'Austen' }`. Null selects members without a value. */
  readonly filter?: Readonly<Record<string, FilterValue | readonly FilterValue[]>>;
  /** Sort keys as in the query of a list: `-year,title`. Default: the order of creation. */
  readonly sort?: string;
  /** At most 1000 members are returned. Default: 100. */
  readonly limit?: number;
}

export type Listed<Resource extends Identified> = Pick<
  CollectionDefinition<Resource, never>,
  'name' | 'parent' | 'columns' | 'filters' | 'sortable' | 'present'
>;

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

/**
 * Lists members as the transaction sees them.
 * @throws {Error} An unknown filter or sort field, or the limit is out of range.
 */
export async function listInTransaction<Resource extends Identified>(
  tx: Transaction,
  definition: Listed<Resource>,
  { filter = {}, sort, limit = DEFAULT_LIMIT }: MembersQuery = {},
): Promise<readonly Resource[]> {
  const { name, columns, present } = definition;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new Error(`"limit" of a list of "${name}" is a whole number from 1 to ${String(MAX_LIMIT)}.`);
  }
  const params: SqlValue[] = [];
  const conditions = Object.entries(filter).map(([field, values]) =>
    condition(definition, field, [values].flat(), params),
  );
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const order = [...sortTerms(definition, sort), 'id'].join(', ');
  params.push(limit);
  const rows = await tx.query<VersionedRow>(
    `SELECT ${columns.map((column) => sqlName(column.name)).join(', ')} FROM ${sqlName(name)}${where} ORDER BY ${order} LIMIT $${String(params.length)}`,
    params,
  );
  return rows.map(present);
}

function condition(
  { name, parent, filters }: Pick<Listed<never>, 'name' | 'parent' | 'filters'>,
  field: string,
  values: readonly FilterValue[],
  params: SqlValue[],
): string {
  const rule: Pick<FilterRule, 'parse'> | undefined = field === parent ? { parse: (id) => id } : filters[field];
  if (rule === undefined)
    throw new Error(`Lists of "${name}" have no filter "${field}": add @Filterable() to the field.`);
  const stored = values.map((value) => (value === null ? null : rule.parse(String(value))));
  const terms = stored
    .filter((value) => value !== null && value !== undefined)
    .map((value) => `$${String(params.push(value))}`);
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
