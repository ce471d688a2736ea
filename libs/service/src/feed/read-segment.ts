/*
 * A page of `GET /events?type=book.created,book.deleted&limit=5`. Each type is a range of an index. One extra row shows
 * whether another page follows. Checked by header-statements.spec.ts.
 *
 * SQLite:
 *   SELECT * FROM (
 *     SELECT * FROM (
 *       SELECT place, id, type, object_id, api_version, data FROM events
 *       WHERE type = $1 AND place > $4 AND id > $5 AND place <= $2 AND id <= $3 ORDER BY place LIMIT 6
 *     )
 *     UNION ALL
 *     SELECT * FROM (
 *       SELECT place, id, type, object_id, api_version, data FROM events
 *       WHERE type = $6 AND place > $9 AND id > $10 AND place <= $7 AND id <= $8 ORDER BY place LIMIT 6
 *     )
 *   ) parts ORDER BY place LIMIT 6;
 *
 * PostgreSQL:
 *   SELECT * FROM (
 *     (
 *       SELECT id, type, object_id, api_version, data FROM events
 *       WHERE type = $1 AND type BETWEEN $1 AND $1 AND id > $3 AND id <= $2 ORDER BY id LIMIT 6
 *     )
 *     UNION ALL
 *     (
 *       SELECT id, type, object_id, api_version, data FROM events
 *       WHERE type = $4 AND type BETWEEN $4 AND $4 AND id > $6 AND id <= $5 ORDER BY id LIMIT 6
 *     )
 *   ) parts ORDER BY id LIMIT 6;
 */

import { Parameters } from '../data/lists/page-statement.js';
import type { Database, SqlValue } from '../data/database/database.js';
import { IN_TIME } from '../data/database/too-slow.js';

import { placeOf } from './event-id.js';
import { isAfter, isUpTo, keyColumn } from './event-key.js';
import type { Condition, Range, TimeRange } from './event-ranges.js';
import type { FeedTable } from './feed-table.js';

/** Rows of a range that the main thread examines in one to two milliseconds. */
const SIFTED_ROWS = 1000;

/** Begins after `after`, and ends with `upTo` or before `before`. */
export interface Segment {
  readonly after: string;
  readonly upTo: string;
  readonly before?: string;
  readonly descending: boolean;
  readonly limit: number;
}

export interface RangesOfSegment {
  readonly table: FeedTable;
  readonly ranges: readonly Range[];
  readonly segment: Segment;
}

export interface SlowReader {
  readonly caller?: string;
  readonly arrivedAtMs?: number | undefined;
}

export interface NearRows<Row> {
  readonly rows: readonly Row[];
  /** All rows up to this id were examined. Undefined if no row is missing. */
  readonly examinedTo?: string;
}

type PartSql = (range: Range, params: Parameters) => string;

export function within(segment: Segment, { min = 0, max = Infinity }: TimeRange = {}): Segment {
  const { after, upTo } = segment;
  const begin = min > 0 ? placeOf(min * 1000 - 1) : after;
  const end = max < Infinity ? placeOf(Math.max(max * 1000 + 999, 0)) : upTo;
  return { ...segment, after: begin > after ? begin : after, upTo: end < upTo ? end : upTo };
}

/** Reads in the background if the main thread finds too few rows. ADR 92 */
export async function readSegment<Row extends { readonly id: string }>(
  database: Database,
  of: RangesOfSegment,
  { caller = '', arrivedAtMs }: SlowReader,
): Promise<readonly Row[]> {
  const { rows, examinedTo } = await readNear<Row>(database, of);
  return examinedTo === undefined ? rows : readFar<Row>(database, of, caller, arrivedAtMs);
}

/** Examines at most {@link SIFTED_ROWS} of each range. */
export async function readNear<Row extends { readonly id: string }>(
  database: Database,
  of: RangesOfSegment,
): Promise<NearRows<Row>> {
  const { ranges, segment } = of;
  const { limit, descending } = segment;
  if (ranges.length === 0) return { rows: [] };
  const rows = await query<Row>(database, of, ranges, nearPart(database, of));
  const sifted = ranges.filter(({ sift }) => sift !== undefined);
  if (sifted.length === 0 || (ranges.length === 1 && rows.length === limit)) return { rows };
  // The purge is delayed by longer than two statements, so both see the same rows.
  const [last] = await query<{ readonly id: string }>(database, of, sifted, lastExamined(database, of));
  if (last === undefined) return { rows };
  // Rows after the last examined row of one range may not be the next ones overall.
  const certain = rows.filter(({ id }) => (descending ? id >= last.id : id <= last.id));
  return certain.length === limit ? { rows: certain } : { rows: certain, examinedTo: last.id };
}

/** Reads in the background, where a range may be examined to its end. */
function readFar<Row>(
  database: Database,
  of: RangesOfSegment,
  caller: string,
  arrivedAtMs: number | undefined,
): Promise<readonly Row[]> {
  const inTime: Condition = () => IN_TIME[database.dialect];
  const params = new Parameters();
  const sql = statement(database, of, of.ranges, params, plainPart(database, of, [inTime]));
  const names = columnsOf(database, of.table);
  const named = (values: readonly SqlValue[]): Row =>
    Object.fromEntries(names.map((name, index) => [name, values[index]])) as Row;
  return database.readSlowly(
    caller,
    async (reader) => (await reader.readValues(sql, params.values)).map(named),
    arrivedAtMs,
  );
}

function query<Row>(
  database: Database,
  of: RangesOfSegment,
  ranges: readonly Range[],
  part: PartSql,
): Promise<readonly Row[]> {
  const params = new Parameters();
  return database.query<Row>(statement(database, of, ranges, params, part), params.values);
}

function statement(
  { dialect }: Database,
  { segment }: RangesOfSegment,
  ranges: readonly Range[],
  params: Parameters,
  part: PartSql,
): string {
  const selects = ranges.map((range) => part(range, params));
  if (selects.length === 1) return String(selects[0]);
  // SQLite does not allow parentheses around a part of a UNION.
  const parts = selects.map((sql) => (dialect === 'sqlite' ? `SELECT * FROM (${sql})` : `(${sql})`));
  return `SELECT * FROM (${parts.join(' UNION ALL ')}) parts ${orderOf(dialect, segment)}`;
}

function plainPart(
  { dialect }: Database,
  { table, segment }: RangesOfSegment,
  more: readonly Condition[] = [],
): PartSql {
  return ({ within: inRange, sift }, params) => {
    const sifted: readonly Condition[] = sift === undefined ? more : [...more, (of) => isTrue(sift, of)];
    const where = whereOf(dialect, segment, [...(inRange ? [inRange] : []), ...sifted], params);
    return `SELECT ${columnsOf({ dialect }, table).join(', ')} FROM ${table.name} ${where} ${orderOf(dialect, segment)}`;
  };
}

/**
 * Filters the first {@link SIFTED_ROWS} rows of a range. PostgreSQL filters whole rows: it reads long values, which are
 * stored separately, only for the result, while a look-up by id would depend on statistics that a partitioned table
 * lacks. SQLite filters by the short columns and then looks the rows up.
 */
function nearPart(database: Database, of: RangesOfSegment): PartSql {
  const { dialect } = database;
  const { table, segment } = of;
  const [key, order] = [keyColumn(dialect), orderOf(dialect, segment)];
  const columns = columnsOf(database, table).join(', ');
  const plain = plainPart(database, of);
  return (range, params) => {
    const { within: inRange, sift } = range;
    if (sift === undefined) return plain(range, params);
    const where = whereOf(dialect, segment, inRange ? [inRange] : [], params);
    const first = `${where} ${orderOf(dialect, { ...segment, limit: SIFTED_ROWS })}`;
    if (dialect === 'postgres') {
      return `SELECT ${columns} FROM (SELECT * FROM ${table.name} ${first}) examined WHERE ${sift(params)} ${order}`;
    }
    return `SELECT ${columns} FROM ${table.name} WHERE ${key} IN (
      SELECT ${key} FROM (SELECT ${key}, ${table.entryColumns} FROM ${table.name} ${first}) examined
      WHERE ${sift(params)} ${order}) ${order}`;
  };
}

function lastExamined({ dialect }: Database, { table, segment }: RangesOfSegment): PartSql {
  const key = keyColumn(dialect);
  return ({ within: inRange }, params) => {
    const where = whereOf(dialect, segment, inRange ? [inRange] : [], params);
    const last = `${orderOf(dialect, { ...segment, limit: 1 })} OFFSET ${String(SIFTED_ROWS - 1)}`;
    return `SELECT ${key === 'id' ? '' : `${key}, `}id FROM ${table.name} ${where} ${last}`;
  };
}

function whereOf(
  dialect: Database['dialect'],
  { after, upTo, before }: Segment,
  conditions: readonly Condition[],
  params: Parameters,
): string {
  const all = conditions.map((condition) => condition(params));
  const end = before === undefined ? isUpTo(dialect, upTo, '<=', params) : isUpTo(dialect, before, '<', params);
  return `WHERE ${[...all, isAfter(dialect, after, params), end].join(' AND ')}`;
}

function orderOf(dialect: Database['dialect'], { descending, limit }: Segment): string {
  return `ORDER BY ${keyColumn(dialect)}${descending ? ' DESC' : ''} LIMIT ${String(limit)}`;
}

/** `IS TRUE` prevents the use of an index. */
function isTrue(condition: Condition, params: Parameters): string {
  return `(${condition(params)}) IS TRUE`;
}

function columnsOf({ dialect }: Pick<Database, 'dialect'>, { columns }: FeedTable): readonly string[] {
  const key = keyColumn(dialect);
  return [...(key === 'id' ? [] : [key]), ...columns.split(', ')];
}
