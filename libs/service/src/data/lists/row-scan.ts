import { type MaybePromise, thenMaybe } from '@items/conventions';
import type { ListFilter } from '@items/paging';
import type { Dialect } from '../schema/dialect.js';
import type { RowValues, ValueReader } from '../database/database.js';
import { IN_TIME } from '../database/too-slow.js';

import type { Bindings, KeyValue } from '../definition/bindings.js';
import { filterConditions, singleFilters } from './filter-conditions.js';
import type { Ordering, PlaceTerms, Range } from './ordering.js';
import { PageStatement, type RowsBeside, type Parameters, Statement } from './page-statement.js';

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
  /** Whether no index bounds what it costs: it is read beside the main thread. */
  readonly isSlow: boolean;
  /** Rows at most: a literal of the statement, since a planner must know it to choose an index. */
  readonly limit: number;
}

/** Reads that are put together once; what they throw, and whether there is anything to wait for, is the reader's. */
export type Read<Result> = (reader: ValueReader, bindings: Bindings) => MaybePromise<Result>;

/**
 * The first rows of a scan, in order. On the main thread, SQLite is asked for each range by itself, which costs it less than
 * one statement. Where a filter has several values, one statement merges their ranges; and reversed ranges are one statement
 * because both look for the same last value, which must not move between them.
 */
export function readOf(dialect: Dialect, scan: RowScan): Read<readonly RowValues[]> {
  const filters = singleFilters(scan.filter);
  const [filter] = filters;
  const isInTurn = dialect === 'sqlite' && !scan.isSlow && !scan.ordering.isReversed;
  if (isInTurn && filter !== undefined && filters.length === 1) {
    return readInTurn(scan, filter);
  }
  const read = readBeside(() => 'NULL', scan);
  return (reader, bindings) => thenMaybe(read(reader, bindings), ({ rows }) => rows);
}

function readInTurn(scan: RowScan, filter: ListFilter): Read<readonly RowValues[]> {
  const { limit } = scan;
  const statements = rangesOf(scan, filter).map((range) => new Statement(range));
  return (reader, bindings) => {
    const readFrom = (next: number, sofar: readonly RowValues[]): MaybePromise<readonly RowValues[]> => {
      const statement = statements[next];
      if (statement === undefined || sofar.length >= limit) return sofar;
      return thenMaybe(reader.readValues(statement.sql, statement.params.bound(bindings)), (rows) =>
        readFrom(next + 1, sofar.length === 0 ? rows : sofar.concat(rows)),
      );
    };
    return thenMaybe(readFrom(0, []), (rows) => (rows.length > limit ? rows.slice(0, limit) : rows));
  };
}

/** The same, beside the value of an expression at the moment that the rows are of. */
export function readBeside(expression: (params: Parameters) => string, scan: RowScan): Read<RowsBeside> {
  const { columns, ordering } = scan;
  const page = new PageStatement(ordering.dialect, columns, expression, (params) => scanSql(scan, params));
  return (reader, bindings) =>
    thenMaybe(page.read(reader, bindings), ({ rows, value }) => ({ rows: ordering.sorted(rows), value }));
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
  if (dialect !== 'sqlite' || scan.isSlow) return readBeside(expression, scan);
  const read = readOf(dialect, scan);
  const statement = new Statement((params) => `SELECT ${expression(params)} AS value`);
  return (reader, bindings) =>
    thenMaybe(read(reader, bindings), (rows) =>
      thenMaybe(reader.readValues(statement.sql, statement.params.bound(bindings)), ([found]) => {
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
  const filters = singleFilters(scan.filter);
  const [only, ...others] = filters.filter((filter) => placesOf(scan, filter).length > 0);
  if (only === undefined) return `SELECT ${scan.columns.join(', ')} FROM ${scan.table} WHERE 1 = 0`;
  return others.length === 0 ? branchSql(scan, only, params) : mergedSql(scan, [only, ...others], params);
}

function branchSql(scan: RowScan, filter: ListFilter, params: Parameters): string {
  return inTurn(
    rangesOf(scan, filter).map((range) => range(params)),
    scan,
  );
}

/** Of several filters, the keys first, which indexes hold: most rows of most of them are not among the first. */
function mergedSql(scan: RowScan, filters: readonly ListFilter[], params: Parameters): string {
  const { table, columns, ordering, limit } = scan;
  const keys = { ...scan, columns: ordering.columns };
  const union = filters
    .map((filter) => `SELECT * FROM (${branchSql(keys, filter, params)}) branch`)
    .join(' UNION ALL ');
  const first = `SELECT id FROM (${union}) keys_found ORDER BY ${ordering.orderBy()} LIMIT ${String(limit)}`;
  if (columns.every((column) => ordering.columns.includes(column))) return first.replace('SELECT id', 'SELECT *');
  return `SELECT ${columns.join(', ')} FROM ${table} WHERE id IN (${first})`;
}

/**
 * The ranges one after the other: both databases begin the next only where the rows before it do not suffice. Of reversed
 * ranges the rows that are too many are not the last ones.
 */
function inTurn(ranges: readonly string[], { ordering, limit }: RowScan): string {
  if (ranges.length === 1) return String(ranges[0]);
  const union = ranges.map((range) => `SELECT * FROM (${range}) part`).join(' UNION ALL ');
  const order = ordering.isReversed ? ` ORDER BY ${ordering.orderBy()}` : '';
  return `SELECT * FROM (${union}) ranges${order} LIMIT ${String(limit)}`;
}

function rangesOf(scan: RowScan, filter: ListFilter): ((params: Parameters) => string)[] {
  return placesOf(scan, filter).flatMap((range) => {
    const whole: RangeOfTable = { scan, filter, range };
    const { descending } = range;
    const isReversed = descending !== undefined && !(descending in filter);
    return isReversed ? reversed(whole, descending) : [(params: Parameters) => rangeSql(whole, params)];
  });
}

/**
 * A range in the descending order of a column, without a sort: the index has it, but for the ids within a value, of which
 * there may be any number. So the rows come in two parts: those above the last value that the page reaches, of which there
 * are fewer than its limit, in the index's own order; then those of that value by their ids.
 */
function reversed(whole: RangeOfTable, column: string): ((params: Parameters) => string)[] {
  const { table, limit } = whole.scan;
  const last = (params: Parameters): string => {
    const where = [...conditionsOf(whole, params), ...endOf(whole, params)].join(' AND ') || 'TRUE';
    return `(SELECT min(value) FROM (SELECT ${column} AS value FROM ${table} WHERE ${where}
      ORDER BY ${column} DESC LIMIT ${String(limit)}) reached)`;
  };
  // The last value is before the end, which would be a second lower bound: SQLite might read down to that one.
  const part = (operator: string, orderBy: string) => (params: Parameters) => {
    const end = (): string => `${column} ${operator} ${last(params)}`;
    return rangeSql({ ...whole, range: { ...whole.range, orderBy, end } }, params);
  };
  return [part('>', `${column} DESC, id DESC`), part('=', 'id')];
}

/** A range of a table that a scan reads, under a filter of one value each. */
interface RangeOfTable {
  readonly scan: RowScan;
  readonly filter: ListFilter;
  readonly range: Range;
}

function rangeSql(whole: RangeOfTable, params: Parameters): string {
  const { columns, table, limit } = whole.scan;
  const where = [...conditionsOf(whole, params), ...endOf(whole, params)].join(' AND ') || 'TRUE';
  return `SELECT ${columns.join(', ')} FROM ${table} WHERE ${where} ORDER BY ${whole.range.orderBy} LIMIT ${String(limit)}`;
}

function endOf({ range: { end } }: RangeOfTable, params: Parameters): string[] {
  return end === undefined ? [] : [end(params)];
}

function conditionsOf({ scan, filter, range }: RangeOfTable, params: Parameters): string[] {
  const { dialect } = scan.ordering;
  return [
    ...filterConditions(dialect, filter, params),
    ...range.where(params),
    ...(scan.only ? scan.only(params) : []),
    ...(scan.isSlow ? [IN_TIME[dialect]] : []),
  ];
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
