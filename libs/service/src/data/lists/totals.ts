import type { ListFilter } from '@items/paging';
import type { Dialect } from '../schema/dialect.js';
import { IN_TIME } from '../database/too-slow.js';
import { combinations, filterWhere } from './filter-conditions.js';
import type { Parameters } from './page-statement.js';
import type { StampedWrite, StampTerms } from '../definition/stamp-terms.js';
import { sqlName } from '../schema/quoted.js';

type Values = Readonly<Record<string, unknown>>;

export interface Adjustment {
  readonly group: string;
  readonly by: number;
}

/**
 * Exact totals at a cost independent of the number of rows. Each write adjusts counters under the lock of its lane, so
 * writers of other lanes do not wait. The counter of one lane may be negative; the sum is exact.
 */
export class Totals {
  constructor(
    private readonly table: string,
    private readonly countedFilters: readonly (readonly string[])[],
  ) {}

  adjustments(before: Values | undefined, after: Values | undefined): Adjustment[] {
    const adjustments: Adjustment[] = [];
    for (const set of this.countedFilters) {
      const was = groupOfRow(set, before);
      const is = groupOfRow(set, after);
      if (was === is) continue;
      if (was !== undefined) adjustments.push({ group: was, by: -1 });
      if (is !== undefined) adjustments.push({ group: is, by: 1 });
    }
    return adjustments;
  }

  isCounted(filter: ListFilter): boolean {
    return Object.keys(filter).length === 0 || this.countersOf(filter) !== undefined;
  }

  expression(dialect: Dialect, filter: ListFilter, params: Parameters, isSlow = false): string {
    const fields = Object.keys(filter);
    if (fields.length === 0) {
      return `(SELECT coalesce(sum(n), 0) FROM collection_lanes WHERE collection = ${params.add(this.table)})`;
    }
    const counted = this.countersOf(filter);
    if (counted === undefined) {
      const inTime = isSlow ? ` AND ${IN_TIME[dialect]}` : '';
      return `(SELECT count(*) FROM ${sqlName(this.table)} WHERE ${filterWhere(dialect, filter, params)}${inTime})`;
    }
    const table = params.add(this.table);
    const groups = combinations(counted.map((field) => filter[field] ?? []))
      .map((values) => params.add(groupOf(counted, values)))
      .join(', ');
    return `(SELECT coalesce(sum(n), 0) FROM collection_counts WHERE collection = ${table} AND grp IN (${groups}))`;
  }

  private countersOf(filter: ListFilter): readonly string[] | undefined {
    const { length } = Object.keys(filter);
    return this.countedFilters.find((set) => set.length === length && set.every((field) => field in filter));
  }
}

const INTO_COUNTS = 'INSERT INTO collection_counts (collection, grp, lane, n)';
const ADJUST = 'ON CONFLICT (collection, grp, lane) DO UPDATE SET n = collection_counts.n + excluded.n';

export function adjustingOne(collection: string, { group, by }: Adjustment): StampedWrite {
  return { shape: 'count', values: [collection, group, by], text: adjustingText };
}

function adjustingText([collection = '', group = '', by = '']: readonly string[], { lane }: StampTerms): string {
  return `${INTO_COUNTS} VALUES (${collection}, ${group}, ${lane}, ${by}) ${ADJUST}`;
}

/**
 * Sums by group, because a statement must not update a counter twice. All sums are one parameter, so that PostgreSQL
 * prepares one SQL text.
 */
export function adjustingAll(collection: string, adjustments: readonly Adjustment[]): StampedWrite {
  const sums = new Map<string, number>();
  for (const { group, by } of adjustments) sums.set(group, (sums.get(group) ?? 0) + by);
  return {
    shape: 'counts',
    values: [collection, JSON.stringify([...sums].map(([grp, n]) => ({ grp, n })))],
    text: ([name = '', counts = ''], stamp) =>
      `${INTO_COUNTS} SELECT CAST(${name} AS text), counts.grp, ${stamp.lane}, counts.n
        FROM json_to_recordset(${counts}) AS counts (grp text, n bigint)${stamp.alsoFrom} ${ADJUST}`,
  };
}

/** @returns Undefined if a field is null: such rows are in no group. */
export function groupOfRow(fields: readonly string[], row: Values | undefined): string | undefined {
  if (row === undefined) return undefined;
  const values: unknown[] = [];
  for (const field of fields) {
    if (row[field] === null) return undefined;
    values.push(row[field]);
  }
  return groupOf(fields, values);
}

export function groupOf(fields: readonly string[], values: readonly unknown[]): string {
  return JSON.stringify([fields, values]);
}

export function groupsPrefix(fields: readonly string[]): string {
  return `[${JSON.stringify(fields)},`;
}
