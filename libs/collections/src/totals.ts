import type { ListFilter } from '@items/paging';
import type { Dialect } from '@items/store';

import { combinations } from './combinations.js';
import { filterWhere } from './filter-conditions.js';
import type { Parameters } from './parameters.js';
import type { StampedWrite } from './stamp-terms.js';

type Values = Readonly<Record<string, unknown>>;

/** A counter of a group of rows, and how many it has more. */
export interface Adjustment {
  readonly group: string;
  readonly by: number;
}

/**
 * Exact totals that cost the same at any size: each write adjusts counters, in its own transaction and under the lock
 * of its lane, so that writers of other lanes do not wait. A counter of one lane may be negative; their sum is right.
 */
export class Totals {
  constructor(
    private readonly table: string,
    private readonly counted: readonly (readonly string[])[],
  ) {}

  /**
   * How a row that was written changes the counters; not at all where it stays in its groups.
   * @param before the row before the write, undefined where there was none. @param after likewise.
   */
  adjustments(before: Values | undefined, after: Values | undefined): Adjustment[] {
    const groupsBefore = this.groupsOf(before);
    const groupsAfter = this.groupsOf(after);
    return [
      ...groupsBefore.filter((group) => !groupsAfter.includes(group)).map((group) => ({ group, by: -1 })),
      ...groupsAfter.filter((group) => !groupsBefore.includes(group)).map((group) => ({ group, by: 1 })),
    ];
  }

  /** An expression: how many rows match the filter. */
  expression(dialect: Dialect, filter: ListFilter, params: Parameters): string {
    const fields = Object.keys(filter);
    if (fields.length === 0) {
      return `(SELECT coalesce(sum(n), 0) FROM collection_lanes WHERE collection = ${params.add(this.table)})`;
    }
    const counted = this.counted.find((set) => set.length === fields.length && set.every((field) => field in filter));
    if (counted === undefined) {
      return `(SELECT count(*) FROM ${this.table} WHERE ${filterWhere(dialect, filter, params)})`;
    }
    const table = params.add(this.table);
    const groups = combinations(counted.map((field) => filter[field] ?? []))
      .map((values) => params.add(groupOf(counted, values)))
      .join(', ');
    return `(SELECT coalesce(sum(n), 0) FROM collection_counts WHERE collection = ${table} AND grp IN (${groups}))`;
  }

  private groupsOf(row: Values | undefined): string[] {
    if (row === undefined) return [];
    return this.counted
      .filter((set) => set.every((field) => row[field] !== null))
      .map((set) =>
        groupOf(
          set,
          set.map((field) => row[field]),
        ),
      );
  }
}

/** Adjustments as one write on PostgreSQL, in which no counter may be named twice. */
export function adjusting(collection: string, adjustments: readonly Adjustment[]): StampedWrite {
  const by = new Map<string, number>();
  for (const each of adjustments) by.set(each.group, (by.get(each.group) ?? 0) + each.by);
  return {
    shape: 'counts',
    values: [collection, JSON.stringify([...by].map(([grp, n]) => ({ grp, n })))],
    text: ([name = '', counts = ''], stamp) =>
      `INSERT INTO collection_counts (collection, grp, lane, n)
        SELECT CAST(${name} AS text), counts.grp, ${stamp.lane}, counts.n
        FROM json_to_recordset(${counts}) AS counts (grp text, n bigint)${stamp.beside}
        ON CONFLICT (collection, grp, lane) DO UPDATE SET n = collection_counts.n + excluded.n`,
  };
}

function groupOf(fields: readonly string[], values: readonly unknown[]): string {
  return JSON.stringify([fields, values]);
}
