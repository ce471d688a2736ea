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
import type { Dialect } from '../data/schema/dialect.js';
import { IN_TIME } from '../data/database/too-slow.js';

import { positionAfter } from './event-id.js';
import { isAfter, isUpTo, keyColumn } from './event-key.js';
import type { Condition, FeedRange, TimeRange } from './event-ranges.js';
import type { FeedTable } from './feed-table.js';

/** Maximum rows of a range that the main thread examines: one to two milliseconds. */
const SIFTED_ROWS = 1000;

/** Part of the feed after `after`; it ends before `before`, or with `upTo` by default. */
export interface Segment {
  readonly after: string;
  readonly upTo: string;
  readonly before?: string;
  readonly descending: boolean;
  readonly limit: number;
}

export interface RangesOfSegment {
  readonly table: FeedTable;
  readonly ranges: readonly FeedRange[];
  readonly segment: Segment;
}

export interface SlowReader {
  readonly caller?: string;
  readonly arrivedAtMs?: number | undefined;
}

interface LimitedRows<Row> {
  readonly rows: readonly Row[];
  /** Id of the last examined row, if rows after it may be missing. Undefined if `rows` is complete. */
  readonly examinedTo?: string;
}

export function limitToTimes(segment: Segment, { min = 0, max = Infinity }: TimeRange = {}): Segment {
  const { after, upTo } = segment;
  const begin = min > 0 ? positionAfter(min * 1000 - 1) : after;
  const end = max < Infinity ? positionAfter(Math.max(max * 1000 + 999, 0)) : upTo;
  return { ...segment, after: begin > after ? begin : after, upTo: end < upTo ? end : upTo };
}

/** Reads in the background if the main thread would have to examine too many rows. ADR 92 */
export async function readSegment<Row extends { readonly id: string }>(
  database: Database,
  of: RangesOfSegment,
  { caller = '', arrivedAtMs }: SlowReader,
): Promise<readonly Row[]> {
  const { rows, examinedTo } = await readLimited<Row>(database, of);
  if (examinedTo === undefined) return rows;
  const statements = new SegmentSql(database.dialect, of);
  const { sql, values } = statements.unlimited();
  const named = (row: readonly SqlValue[]): Row =>
    Object.fromEntries(statements.columns.map((name, index) => [name, row[index]])) as Row;
  return database.readSlowly(caller, async (reader) => (await reader.readValues(sql, values)).map(named), arrivedAtMs);
}

/** Examines at most {@link SIFTED_ROWS} of each range. */
export async function readLimited<Row extends { readonly id: string }>(
  database: Database,
  of: RangesOfSegment,
): Promise<LimitedRows<Row>> {
  const { ranges, segment } = of;
  const { limit, descending } = segment;
  if (ranges.length === 0) return { rows: [] };
  const statements = new SegmentSql(database.dialect, of);
  const limited = statements.limited();
  const rows = await database.query<Row>(limited.sql, limited.values);
  const sifted = ranges.filter(({ unindexedCondition }) => unindexedCondition !== undefined);
  if (sifted.length === 0 || (ranges.length === 1 && rows.length === limit)) return { rows };
  // Both statements see the same rows, because expired rows stay longer than both statements take.
  const examined = statements.lastExamined(sifted);
  const [last] = await database.query<{ readonly id: string }>(examined.sql, examined.values);
  if (last === undefined) return { rows };
  // Rows after the last examined row of a range are uncertain: unexamined rows of the range may precede them.
  const certain = rows.filter(({ id }) => (descending ? id >= last.id : id <= last.id));
  return certain.length === limit ? { rows: certain } : { rows: certain, examinedTo: last.id };
}

interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Statements with one SELECT for each range. */
class SegmentSql {
  readonly columns: readonly string[];
  private readonly key: string;

  constructor(
    private readonly dialect: Dialect,
    private readonly of: RangesOfSegment,
  ) {
    this.key = keyColumn(dialect);
    this.columns = [...new Set([this.key, ...of.table.columns.split(', ')])];
  }

  /** Selects the next rows among the first {@link SIFTED_ROWS} of each range. */
  limited(): Statement {
    return this.statement(this.of.ranges, (range, params) =>
      range.unindexedCondition === undefined
        ? this.plain(range, params)
        : this.sifted(range, range.unindexedCondition, params),
    );
  }

  /** Selects the next rows. Runs in the background, where a range may be examined to its end. */
  unlimited(): Statement {
    return this.statement(this.of.ranges, (range, params) => this.plain(range, params, [() => IN_TIME[this.dialect]]));
  }

  /** Selects, for each range, the last row that {@link limited} examines. */
  lastExamined(ranges: readonly FeedRange[]): Statement {
    const last = `${this.order(1)} OFFSET ${String(SIFTED_ROWS - 1)}`;
    const columns = [...new Set([this.key, 'id'])].join(', ');
    return this.statement(
      ranges,
      ({ indexedCondition: inRange }, params) =>
        `SELECT ${columns} FROM ${this.of.table.name} ${this.where([inRange], params)} ${last}`,
    );
  }

  private statement(ranges: readonly FeedRange[], select: (range: FeedRange, params: Parameters) => string): Statement {
    const params = new Parameters();
    const [first = '', ...others] = ranges.map((range) => select(range, params));
    if (others.length === 0) return { sql: first, values: params.values };
    // SQLite does not allow parentheses around a part of a UNION.
    const parts = [first, ...others].map((sql) => (this.dialect === 'sqlite' ? `SELECT * FROM (${sql})` : `(${sql})`));
    return { sql: `SELECT * FROM (${parts.join(' UNION ALL ')}) parts ${this.order()}`, values: params.values };
  }

  private plain(
    { indexedCondition: inRange, unindexedCondition }: FeedRange,
    params: Parameters,
    more: readonly Condition[] = [],
  ): string {
    // `IS TRUE` prevents the use of an index for this condition: rows are read in feed order, until the page is full.
    const sifted: Condition | undefined = unindexedCondition && ((of) => `(${unindexedCondition(of)}) IS TRUE`);
    const where = this.where([inRange, ...more, sifted], params);
    return `SELECT ${this.columns.join(', ')} FROM ${this.of.table.name} ${where} ${this.order()}`;
  }

  /**
   * SQLite filters by the short columns, and then looks up the matching rows by key. PostgreSQL filters whole rows:
   * long values are stored separately (TOAST) and read only for the result, and a look-up by id would
   * depend on statistics that a partitioned table may lack.
   */
  private sifted({ indexedCondition: inRange }: FeedRange, unindexedCondition: Condition, params: Parameters): string {
    const { key, dialect } = this;
    const { name, entryColumns } = this.of.table;
    const columns = this.columns.join(', ');
    const order = this.order();
    const first = `${this.where([inRange], params)} ${this.order(SIFTED_ROWS)}`;
    if (dialect === 'postgres') {
      return `SELECT ${columns} FROM (SELECT * FROM ${name} ${first}) examined WHERE ${unindexedCondition(params)} ${order}`;
    }
    return `SELECT ${columns} FROM ${name} WHERE ${key} IN (
      SELECT ${key} FROM (SELECT ${key}, ${entryColumns} FROM ${name} ${first}) examined
      WHERE ${unindexedCondition(params)} ${order}) ${order}`;
  }

  private where(conditions: readonly (Condition | undefined)[], params: Parameters): string {
    const { after, upTo, before } = this.of.segment;
    const all = conditions.flatMap((condition) => condition?.(params) ?? []);
    const end =
      before === undefined ? isUpTo(this.dialect, upTo, '<=', params) : isUpTo(this.dialect, before, '<', params);
    return `WHERE ${[...all, isAfter(this.dialect, after, params), end].join(' AND ')}`;
  }

  private order(limit = this.of.segment.limit): string {
    return `ORDER BY ${this.key}${this.of.segment.descending ? ' DESC' : ''} LIMIT ${String(limit)}`;
  }
}
