import type { Sqlite } from '../sqlite/sqlite.js';

import type { ScanEnd } from './ranged-lists.testing.js';

interface Step {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

/** Matches the steps of a plan that read the collection's tables. */
const OF_TABLE = /^(?:SEARCH|SCAN) items(?:_versions)?\b/;

/**
 * Finds the steps of SQLite's plan whose cost grows with the number of rows: a scan without an index, a sort of a
 * table, a filter without an index, a count, a search beyond the end of its range.
 * @param filter Column that filters the list. @param end End of its range.
 * @returns A sentence for each step.
 */
export function unboundedSteps(connection: Sqlite, sql: string, filter: string | undefined, end?: ScanEnd): string[] {
  const text = sql.replace(/\$\d+/g, '+?');
  const plan = connection.prepare<readonly [], Step>(`EXPLAIN QUERY PLAN ${text}`).all();
  const steps = plan.flatMap(({ parent, detail }) => {
    const isTable = (step: Step): boolean => OF_TABLE.test(step.detail) && !step.detail.includes('(id=?');
    const beside = plan.filter((step) => step.parent === parent && isTable(step));
    if (OF_TABLE.test(detail) && !/USING (?:COVERING )?INDEX/.test(detail)) return [`reads a whole table: ${detail}`];
    if (/TEMP B-TREE/.test(detail) && beside.length > 0) return [`sorts a table: ${detail}`];
    if (end !== undefined && OF_TABLE.test(detail) && !endsWith(detail, end)) return [`reads on: ${detail}`];
    const isSifted = filter !== undefined && / items\b/.test(detail) && OF_TABLE.test(detail);
    return isSifted && !detail.includes(`${filter}=?`) && !detail.includes('(id=?') ? [`sifts rows: ${detail}`] : [];
  });
  return /count\(\*\) FROM items\b/.test(sql) ? [...steps, 'counts rows'] : steps;
}

/** Whether the search is bounded. A search by id always is. */
function endsWith(detail: string, { column, operator }: ScanEnd): boolean {
  return [`${column}=?`, `${column}${operator}?`, '(id=?'].some((bound) => detail.includes(bound));
}
