import { type Eventual, andThen } from '@items/conventions';
import type { ListFilter } from '@items/paging';
import type { Database, Dialect, RowValues } from '@items/store';

import type { Bindings, KeyValue } from './bindings.js';
import { filterConditions, singleFilters } from './filter-conditions.js';
import type { Ordering, PlaceTerms, Range } from './ordering.js';
import { PageStatement, type RowsBeside } from './page-statement.js';
import { type Parameters, Statement } from './parameters.js';

/** Which rows of a table to read, in which order. */
export interface RowScan {
  readonly table: string;
  readonly columns: readonly string[];
  readonly filter: ListFilter;
  readonly ordering: Ordering;
  /** Read what comes after this place. */
  readonly after?: PlaceTerms | undefined;
  /** Read from where the first sort key has this value. */
  readonly from?: { readonly value: KeyValue } | undefined;
  /** Nothing beyond this place is needed. */
  readonly upTo?: PlaceTerms | undefined;
  /** Conditions that sift the rows. */
  readonly only?: ((params: Parameters) => readonly string[]) | undefined;
  /** Rows at most: a literal of the statement, since a planner must know it to choose an index. */
  readonly limit: number;
}

/** Reads that are put together once; what they throw, and whether there is anything to wait for, is the database's. */
export type Read<Result> = (database: Database, bindings: Bindings) => Eventual<Result>;

/** The first rows of a scan, in order. SQLite is in this process: a statement for each range costs it less than one. */
export function readOf(dialect: Dialect, scan: RowScan): Read<readonly RowValues[]> {
  if (dialect === 'sqlite') return readInTurn(scan);
  const read = readBeside(() => 'NULL', scan);
  return (database, bindings) => andThen(read(database, bindings), ({ rows }) => rows);
}

function readInTurn(scan: RowScan): Read<readonly RowValues[]> {
  const { limit, ordering } = scan;
  const runs = singleFilters(scan.filter).map((filter) => rangesOf(scan, filter).map((range) => new Statement(range)));
  return (database, bindings) => {
    const runFrom = (index: number, found: readonly RowValues[]): Eventual<readonly RowValues[]> => {
      const statements = runs[index];
      if (statements === undefined) return found;
      const enough = found.length + limit;
      const stepFrom = (next: number, sofar: readonly RowValues[]): Eventual<readonly RowValues[]> => {
        const statement = statements[next];
        if (statement === undefined || sofar.length >= enough) return runFrom(index + 1, sofar);
        return andThen(database.readValues(statement.sql, statement.bound(bindings)), (rows) =>
          stepFrom(next + 1, sofar.length === 0 ? rows : sofar.concat(rows)),
        );
      };
      return stepFrom(0, found);
    };
    return andThen(runFrom(0, []), (found) => {
      const rows = runs.length === 1 ? found : ordering.sorted(found);
      return rows.length > limit ? rows.slice(0, limit) : rows;
    });
  };
}

/** The same, beside the value of an expression at the moment that the rows are of. */
export function readBeside(expression: (params: Parameters) => string, scan: RowScan): Read<RowsBeside> {
  const { columns, ordering } = scan;
  const page = new PageStatement(ordering.dialect, columns, expression, (params) => scanSql(scan, params));
  return (database, bindings) =>
    andThen(page.read(database, bindings), ({ rows, value }) => ({ rows: ordering.sorted(rows), value }));
}

/**
 * The same, beside the value of an expression at that moment or a later one, whichever costs less: SQLite, in this
 * process, is asked twice.
 */
export function readThen(
  dialect: Dialect,
  expression: (params: Parameters) => string,
  scan: RowScan,
): Read<RowsBeside> {
  if (dialect !== 'sqlite') return readBeside(expression, scan);
  const read = readInTurn(scan);
  const statement = new Statement((params) => `SELECT ${expression(params)} AS value`);
  return (database, bindings) =>
    andThen(read(database, bindings), (rows) =>
      andThen(database.readValues(statement.sql, statement.bound(bindings)), ([found]) => {
        if (found === undefined) throw new Error('The database returned no row for an expression.');
        return { rows, value: found[0] ?? null };
      }),
    );
}

/**
 * A SELECT of the first rows of a scan, put together from ranges, each of which an index serves in the order asked for,
 * so that the cost does not depend on the size of the table. The rows are the right ones; their order is not promised.
 */
export function scanSql(scan: RowScan, params: Parameters): string {
  const { ordering, limit } = scan;
  const filters = singleFilters(scan.filter).flatMap((filter) => {
    const ranges = rangesOf(scan, filter).map((range) => range(params));
    return ranges.length === 0 ? [] : [inTurn(ranges, limit)];
  });
  const [only = `SELECT ${scan.columns.join(', ')} FROM ${scan.table} WHERE 1 = 0`] = filters;
  if (filters.length <= 1) return only;
  const union = filters.map((branch) => `SELECT * FROM (${branch}) branch`).join(' UNION ALL ');
  return `SELECT * FROM (${union}) rows_found ORDER BY ${ordering.orderBy()} LIMIT ${String(limit)}`;
}

/** The ranges one after the other: both databases begin the next only where the rows before it do not suffice. */
function inTurn(ranges: readonly string[], limit: number): string {
  if (ranges.length === 1) return String(ranges[0]);
  const union = ranges.map((range) => `SELECT * FROM (${range}) part`).join(' UNION ALL ');
  return `SELECT * FROM (${union}) ranges LIMIT ${String(limit)}`;
}

function rangesOf(scan: RowScan, filter: ListFilter): ((params: Parameters) => string)[] {
  const { table, ordering, only, limit } = scan;
  const select = `SELECT ${scan.columns.join(', ')} FROM ${table} WHERE `;
  return placesOf(scan, filter).map(({ where, orderBy }) => (params) => {
    const filtered = filterConditions(ordering.dialect, filter, params);
    const conditions = [...filtered, ...where(params), ...(only ? only(params) : [])];
    return `${select}${conditions.join(' AND ') || 'TRUE'} ORDER BY ${orderBy} LIMIT ${String(limit)}`;
  });
}

function placesOf({ table, ordering, after, from, upTo }: RowScan, filter: ListFilter): Range[] {
  if (after !== undefined) return ordering.after(after, fixedBy(filter), upTo);
  return from === undefined ? ordering.all(table) : ordering.from(from.value);
}

/** The columns for which a filter leaves one value. */
function fixedBy(filter: ListFilter): Record<string, string | number> {
  const fixed = Object.entries(filter).flatMap(([field, [value, ...others]]) =>
    value === undefined || others.length > 0 ? [] : [[field, value] as const],
  );
  return Object.fromEntries(fixed);
}
