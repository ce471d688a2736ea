import { type MaybePromise, thenMaybe } from '@items/conventions';
import { offsetWindow } from '@items/paging';
import type { Dialect } from '../schema/dialect.js';
import type { RowValues, ValueReader } from '../database/database.js';
import { IN_TIME } from '../database/too-slow.js';
import {
  type KeyValue,
  type Parameters,
  type Read,
  type RowsAndValue,
  type Slot,
  type SortPosition,
  Statement,
} from './page-statement.js';
import { countCombinations, filterConditions, singleFilters } from './filter-conditions.js';
import { equals } from './ordering.js';
import { type CachedReads, cachedReads } from './cached-reads.js';
import { readOf, readSorted, scanSql } from './row-scan.js';
import type { Totals } from './totals.js';
import type { WalkPlan } from './walk.js';
import { sqlName } from '../schema/quoted.js';

/**
 * Up to this row, total and rows are read together. Beyond this row, the total is read first, to find the nearer end.
 */
const DEEP = 1000;
/** There are few sizes, because each needs its own statement. */
const READ_SIZES = [20, 50, 100, 200, 500, DEEP];
/**
 * Maximum number of index entries that a page may skip on the main thread, for all combinations of the filter's values
 * together.
 */
const MAX_SKIPPED_ENTRIES = 10_000;

export interface CountedRows {
  readonly rows: readonly RowValues[];
  readonly total: number;
}

interface CountedStatements {
  readonly counting: Statement;
  readonly rows: Statement;
}

/** The page begins `skip` rows after the first row with this value of the first sort key. */
interface Start {
  readonly value: KeyValue;
  readonly skip: number;
}

export class OffsetPages {
  private oneStatement: CachedReads<Read<RowsAndValue>> | undefined;
  private twoStatements: CachedReads<CountedStatements> | undefined;
  private readonly combinations: number;
  private readonly dialect: Dialect;

  constructor(
    private readonly plan: WalkPlan,
    private readonly totals: Totals,
  ) {
    this.combinations = countCombinations(Object.values(plan.filter));
    this.dialect = plan.ordering.dialect;
  }

  /**
   * @returns Undefined if the page must be read in the background: the total has no counter, the order has no index, or
   * the page is too deep.
   */
  read(reader: ValueReader, page: number, perPage: number): MaybePromise<CountedRows | undefined> {
    const { isIndexed, isSlow, ordering } = this.plan;
    if (!isSlow && !this.totals.isCounted(this.plan.filter)) return undefined;
    const isNear = page <= DEEP / perPage && (isSlow || this.isWithin(page * perPage));
    if (isNear && isIndexed) return this.readCounted(reader, (page - 1) * perPage, perPage);
    return thenMaybe(this.total(reader), (total): MaybePromise<CountedRows | undefined> => {
      const window = offsetWindow({ page, perPage, total });
      if (window.take === 0) return { rows: [], total };
      if (!isSlow && !(isIndexed && ordering.indexed.exact && this.isWithin(window.skip))) return undefined;
      if (isNear) return this.readInOneStatement(reader, (page - 1) * perPage, perPage);
      return this.readDeep(reader, window, total).then((rows) => ({ rows, total }));
    });
  }

  private isWithin(rows: number): boolean {
    return rows * this.combinations <= MAX_SKIPPED_ENTRIES;
  }

  private readCounted(reader: ValueReader, skip: number, take: number): MaybePromise<CountedRows> {
    const { ordering, isSlow } = this.plan;
    // SQLite skips entries of one index in the exact order without reading rows. So two statements cost less than one.
    const hasIndex = this.dialect === 'sqlite' && !isSlow && ordering.indexed.exact && this.combinations === 1;
    if (!hasIndex) return this.readInOneStatement(reader, skip, take);
    const make = (): CountedStatements => ({
      counting: this.countingStatement(),
      rows: new Statement((params) => `${scanSql({ ...this.plan, limit: take }, params)} OFFSET ${params.add(SKIP)}`),
    });
    const { counting, rows: reading } = (this.twoStatements ??= cachedReads()).memo(String(take), { context: make });
    return reader.readTransaction(() =>
      thenMaybe(counting.readValue(reader), (total) =>
        thenMaybe(reading.read(reader, { skip }), (rows) => ({ rows, total: Number(total) })),
      ),
    );
  }

  private countingStatement(): Statement {
    return new Statement((params) => `SELECT ${this.totalSql(params)}`);
  }

  private totalSql(params: Parameters): string {
    const { filter, isSlow } = this.plan;
    return this.totals.expression(this.dialect, filter, params, isSlow);
  }

  private readInOneStatement(reader: ValueReader, skip: number, take: number): MaybePromise<CountedRows> {
    const size = readSize(skip + take);
    const make = (): Read<RowsAndValue> => {
      const total = (params: Parameters): string => this.totalSql(params);
      return readSorted(this.plan, total, (params) => this.rowsSql(SKIP, take, size, params));
    };
    const read = (this.oneStatement ??= cachedReads()).memo(`${String(size)} ${String(take)}`, { context: make });
    return thenMaybe(read(reader, { skip }), ({ rows, value }) => ({ rows, total: Number(value) }));
  }

  private total(reader: ValueReader): MaybePromise<number> {
    return thenMaybe(this.countingStatement().readValue(reader), Number);
  }

  /** Finds the page from the nearer end of an index. Skipped rows are not read. */
  private async readDeep(
    reader: ValueReader,
    { skip, take, fromEnd }: ReturnType<typeof offsetWindow>,
    total: number,
  ): Promise<readonly RowValues[]> {
    const { ordering, isIndexed } = this.plan;
    const { exact, column } = ordering.indexed;
    const scan = { ...this.plan, limit: take };
    // An index in the exact order finds the row before the page. Other indexes find only the first sort key of the
    // page.
    const position = (fromEnd ? total - skip - take : skip) - (exact ? 1 : 0);
    const order = ordering.indexed.orderBy(fromEnd);
    const found = await this.positionAt(reader, fromEnd ? total - 1 - position : position, order);
    if (found === undefined) return [];
    if (exact) return readOf({ ...scan, after: found })(reader, {});
    const start = await this.startAt(reader, found);
    if (isIndexed) {
      if (start.skip === 0) return readOf({ ...scan, from: start })(reader, {});
      const after = await this.positionAt(reader, start.skip - 1, 'id', equals(column, start.value));
      return after === undefined ? [] : readOf({ ...scan, after })(reader, {});
    }
    const size = readSize(start.skip + take);
    const statement = new Statement((params) => this.rowsSql(start.skip, take, size, params, start));
    return ordering.sorted(await statement.read(reader));
  }

  private async positionAt(
    reader: ValueReader,
    offset: number,
    orderBy: string,
    skippedCondition?: (params: Parameters) => string,
  ): Promise<SortPosition | undefined> {
    const { table, ordering, filter } = this.plan;
    const select = `SELECT ${sqlName(ordering.indexed.column)}, id FROM ${sqlName(table)}`;
    const statement = new Statement((params) => {
      // Passes `sqlite` to omit the redundant BETWEEN, which is useless for PostgreSQL if many rows are skipped.
      const parts = singleFilters(filter).map((single) => [
        ...filterConditions('sqlite', single, params),
        ...(skippedCondition === undefined ? [] : [skippedCondition(params)]),
        ...this.inTime,
      ]);
      const union = parts.map((where) => `${select} WHERE ${where.join(' AND ') || 'TRUE'}`).join(' UNION ALL ');
      return `${union} ORDER BY ${orderBy} LIMIT 1 OFFSET ${params.add(offset)}`;
    });
    const [row] = await statement.read(reader);
    return row && { key: [(row[0] ?? null) as KeyValue], id: String(row[1]) };
  }

  private async startAt(reader: ValueReader, position: SortPosition): Promise<Start> {
    const { table, ordering, filter } = this.plan;
    const { column, idDescends } = ordering.indexed;
    const value = position.key[0] ?? null;
    const counting = new Statement((params) => {
      const conditions = [
        ...filterConditions(this.dialect, filter, params),
        equals(column, value)(params),
        `id ${idDescends ? '>' : '<'} ${params.add(position.id)}`,
        ...this.inTime,
      ];
      return `SELECT count(*) AS n FROM ${sqlName(table)} WHERE ${conditions.join(' AND ')}`;
    });
    return { value, skip: Number(await counting.readValue(reader)) };
  }

  private get inTime(): readonly string[] {
    return this.plan.isSlow ? [IN_TIME[this.dialect]] : [];
  }

  /** Reads keys from an index first, then the rows by id. */
  private rowsSql(skip: number | Slot, take: number, limit: number, params: Parameters, from?: Start): string {
    const { table, columns, ordering } = this.plan;
    const keys = scanSql({ ...this.plan, columns: ordering.columns, from, limit }, params);
    const ids = `SELECT id FROM (${keys}) keys ORDER BY ${ordering.orderBy()}
      LIMIT ${String(take)} OFFSET ${params.add(skip)}`;
    return `SELECT ${columns.map(sqlName).join(', ')} FROM ${sqlName(table)} WHERE id IN (${ids})`;
  }
}

const SKIP: Slot = ({ skip }) => skip ?? 0;

function readSize(atLeast: number): number {
  return READ_SIZES.find((size) => size >= atLeast) ?? atLeast;
}
