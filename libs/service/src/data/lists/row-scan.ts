import { type MaybePromise, thenMaybe } from '@items/conventions';
import type { ListFilter } from '@items/paging';
import type { RowValues } from '../database/database.js';
import { IN_TIME } from '../database/too-slow.js';
import {
  type KeyValue,
  pageStatement,
  type Parameters,
  type Read,
  type RowsAndValue,
  Statement,
} from './page-statement.js';
import { filterConditions, singleFilters } from './filter-conditions.js';
import type { Ordering, PositionTerms, Range } from './ordering.js';
import { sqlName } from '../schema/quoted.js';

export interface ListedRows {
  readonly table: string;
  readonly columns: readonly string[];
  readonly filter: ListFilter;
  readonly ordering: Ordering;
  readonly isSlow: boolean;
}

export interface RowScan extends ListedRows {
  readonly after?: PositionTerms | undefined;
  /** Inclusive: begins at the first row with this value of the first sort key. */
  readonly from?: { readonly value: KeyValue } | undefined;
  /** Inclusive, but later rows may be returned too. */
  readonly upTo?: PositionTerms | undefined;
  readonly only?: ((params: Parameters) => readonly string[]) | undefined;
  /** Written into the SQL instead of bound, because the planner uses it to choose an index. */
  readonly limit: number;
}

/**
 * On the main thread, SQLite runs one statement per range, because this costs less than a single statement for all. A
 * filter with several values needs a single statement. So do ranges that {@link reversed} splits: their parts must use
 * the same last value of the page.
 */
export function readOf(scan: RowScan): Read<readonly RowValues[]> {
  const [filter, ...others] = singleFilters(scan.filter);
  const readsRangesSeparately = scan.ordering.dialect === 'sqlite' && !scan.isSlow && !scan.ordering.isReversed;
  if (readsRangesSeparately && filter !== undefined && others.length === 0) return readEachRange(scan, filter);
  const read = readWithValue(() => 'NULL', scan);
  return (reader, bindings) => thenMaybe(read(reader, bindings), ({ rows }) => rows);
}

function readEachRange(scan: RowScan, filter: ListFilter): Read<readonly RowValues[]> {
  const { limit } = scan;
  const statements = rangesOf(scan, filter).map((range) => new Statement(range));
  return (reader, bindings) => {
    const readFrom = (next: number, sofar: readonly RowValues[]): MaybePromise<readonly RowValues[]> => {
      const statement = statements[next];
      if (statement === undefined || sofar.length >= limit) return sofar;
      return thenMaybe(statement.read(reader, bindings), (rows) =>
        readFrom(next + 1, sofar.length === 0 ? rows : sofar.concat(rows)),
      );
    };
    return thenMaybe(readFrom(0, []), (rows) => (rows.length > limit ? rows.slice(0, limit) : rows));
  };
}

export function readWithValue(expression: (params: Parameters) => string, scan: RowScan): Read<RowsAndValue> {
  return readSorted(scan, expression, (params) => scanSql(scan, params));
}

export function readSorted(
  { columns, ordering }: ListedRows,
  expression: (params: Parameters) => string,
  rowsSql: (params: Parameters) => string,
): Read<RowsAndValue> {
  const { statement, parse } = pageStatement(ordering.dialect, columns, expression, rowsSql);
  return (reader, bindings) =>
    thenMaybe(statement.read(reader, bindings), (found) => {
      const { rows, value } = parse(found);
      return { rows: ordering.sorted(rows), value };
    });
}

/** Reads rows, then an expression. Fast reads of SQLite use a second statement, because this costs less. */
export function readThenValue(expression: (params: Parameters) => string, scan: RowScan): Read<RowsAndValue> {
  if (scan.ordering.dialect !== 'sqlite' || scan.isSlow) return readWithValue(expression, scan);
  const read = readOf(scan);
  const statement = new Statement((params) => `SELECT ${expression(params)} AS value`);
  return (reader, bindings) =>
    thenMaybe(read(reader, bindings), (rows) =>
      thenMaybe(statement.readValue(reader, bindings), (value) => ({ rows, value })),
    );
}

/**
 * The order of the result is undefined. An index serves each range, except in a slow scan. So the cost does not depend
 * on the size of the table.
 */
export function scanSql(scan: RowScan, params: Parameters): string {
  const filters = singleFilters(scan.filter).filter((filter) => rangesAfter(scan, filter).length > 0);
  const [only, ...others] = filters;
  if (only === undefined) return `SELECT ${listed(scan.columns)} FROM ${sqlName(scan.table)} WHERE 1 = 0`;
  return others.length === 0 ? branchSql(scan, only, params) : mergedSql(scan, filters, params);
}

/**
 * Both databases read a range only if the previous ranges gave too few rows. Reversed ranges are sorted before the
 * limit.
 */
function branchSql(scan: RowScan, filter: ListFilter, params: Parameters): string {
  const { ordering, limit } = scan;
  const ranges = rangesOf(scan, filter).map((range) => range(params));
  if (ranges.length === 1) return String(ranges[0]);
  const union = ranges.map((range) => `SELECT * FROM (${range}) part`).join(' UNION ALL ');
  const order = ordering.isReversed ? ` ORDER BY ${ordering.orderBy()}` : '';
  return `SELECT * FROM (${union}) ranges${order} LIMIT ${String(limit)}`;
}

/** Reads only keys first, because most of the matching rows are not on the page. */
function mergedSql(scan: RowScan, filters: readonly ListFilter[], params: Parameters): string {
  const { table, columns, ordering, limit } = scan;
  const keys = { ...scan, columns: ordering.columns };
  const union = filters
    .map((filter) => `SELECT * FROM (${branchSql(keys, filter, params)}) branch`)
    .join(' UNION ALL ');
  const first = `SELECT id FROM (${union}) keys_found ORDER BY ${ordering.orderBy()} LIMIT ${String(limit)}`;
  if (columns.every((column) => ordering.columns.includes(column))) return first.replace('SELECT id', 'SELECT *');
  return `SELECT ${listed(columns)} FROM ${sqlName(table)} WHERE id IN (${first})`;
}

function rangesOf(scan: RowScan, filter: ListFilter): ((params: Parameters) => string)[] {
  return rangesAfter(scan, filter).flatMap((range) => {
    const whole: RangeOfTable = { scan, filter, range };
    const { descending } = range;
    const isReversed = descending !== undefined && !(descending in filter);
    return isReversed ? reversed(whole, descending) : [(params: Parameters) => rangeSql(whole, params)];
  });
}

/**
 * Reads a range in descending order without a sort. The index has this order, except for ids among equal values. Many
 * rows may share a value. So the first part selects rows above the last value of the page, and the second part selects
 * rows with this value by ascending id.
 */
function reversed(whole: RangeOfTable, name: string): ((params: Parameters) => string)[] {
  const { table, limit } = whole.scan;
  const column = sqlName(name);
  const last = (params: Parameters): string =>
    `(SELECT min(value) FROM (SELECT ${column} AS value FROM ${sqlName(table)} WHERE ${whereOf(whole, params)}
      ORDER BY ${column} DESC LIMIT ${String(limit)}) reached)`;
  // The last value of the page replaces the end of the range. With both bounds, SQLite might read up to the end of the
  // range.
  const part = (operator: string, orderBy: string) => (params: Parameters) => {
    const end = (): string => `${column} ${operator} ${last(params)}`;
    return rangeSql({ ...whole, range: { ...whole.range, orderBy, end } }, params);
  };
  return [part('>', `${column} DESC, id DESC`), part('=', 'id')];
}

interface RangeOfTable {
  readonly scan: RowScan;
  readonly filter: ListFilter;
  readonly range: Range;
}

function rangeSql(whole: RangeOfTable, params: Parameters): string {
  const { columns, table, limit } = whole.scan;
  const where = whereOf(whole, params);
  return `SELECT ${listed(columns)} FROM ${sqlName(table)} WHERE ${where} ORDER BY ${whole.range.orderBy} LIMIT ${String(limit)}`;
}

function listed(columns: readonly string[]): string {
  return columns.map(sqlName).join(', ');
}

function whereOf({ scan, filter, range }: RangeOfTable, params: Parameters): string {
  const { dialect } = scan.ordering;
  const conditions = [
    ...filterConditions(dialect, filter, params),
    ...range.conditions.map((condition) => condition(params)),
    ...(scan.only ? scan.only(params) : []),
    ...(scan.isSlow ? [IN_TIME[dialect]] : []),
    ...(range.end ? [range.end(params)] : []),
  ];
  return conditions.join(' AND ') || 'TRUE';
}

function rangesAfter({ table, ordering, after, from, upTo }: RowScan, filter: ListFilter): Range[] {
  if (after !== undefined) return ordering.after(after, fixedBy(filter), upTo);
  return from === undefined ? ordering.all(table) : ordering.from(from.value);
}

function fixedBy(filter: ListFilter): Record<string, string | number> {
  const fixed: Record<string, string | number> = {};
  for (const [field, [value, ...others]] of Object.entries(filter)) {
    if (value !== undefined && others.length === 0) fixed[field] = value;
  }
  return fixed;
}
