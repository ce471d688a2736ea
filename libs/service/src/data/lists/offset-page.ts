import { type MaybePromise, thenMaybe } from '@items/conventions';
import { offsetWindow } from '@items/paging';
import type { Dialect } from '../schema/dialect.js';
import type { RowValues, ValueReader } from '../database/database.js';
import { IN_TIME } from '../database/too-slow.js';

import type { KeyValue, Place } from '../definition/bindings.js';
import { countCombinations } from './combinations.js';
import { filterConditions, singleFilters } from './filter-conditions.js';
import { equals } from './ordering.js';
import { type CachedReads, cachedReads } from './cached-reads.js';
import { PageStatement, Parameters, type Slot, Statement } from './page-statement.js';
import { readOf, scanSql } from './row-scan.js';
import type { Totals } from './totals.js';
import type { WalkPlan } from './walk.js';

/** Up to here the total and the rows are read by one statement; beyond, the total first, to read from the nearer end. */
const DEEP = 1000;
/** Keys to read for a page that is not deep: few sizes, since each is a statement of its own. */
const READ_SIZES = [20, 50, 100, 200, 500, DEEP];
/** So many entries of indexes are passed over on the main thread for a page, counted for each combination of the filter. */
export const MAX_PASSED_OVER = 10_000;

/** The rows of a page, and how many rows match in all. */
export interface CountedRows {
  readonly rows: readonly RowValues[];
  readonly total: number;
}

/** Statements that run one after the other. */
interface CountedStatements {
  readonly counting: Statement;
  readonly rows: Statement;
}

/** Where a page begins: so many rows into those that share a value of the first sort key, and what follows them. */
interface Start {
  readonly value: KeyValue;
  readonly skip: number;
}

/** Pages in offset style, with their exact total. SPEC §4 */
export class OffsetPages {
  private atOnce: CachedReads<PageStatement> | undefined;
  private inTurn: CachedReads<CountedStatements> | undefined;
  /** For each combination of the filter a range of an index is passed over. */
  private readonly combinations: number;

  constructor(
    private readonly dialect: Dialect,
    private readonly plan: WalkPlan,
    private readonly totals: Totals,
  ) {
    this.combinations = countCombinations(Object.values(plan.filter));
  }

  /** @returns undefined where the page is to be read slowly: no index serves it, or it lies too deep in one. */
  read(reader: ValueReader, page: number, perPage: number): MaybePromise<CountedRows | undefined> {
    const { isServed, isSlow, ordering } = this.plan;
    if (!isSlow && !this.totals.isCounted(this.plan.filter)) return undefined;
    const isNear = page <= DEEP / perPage && (isSlow || this.isWithin(page * perPage));
    if (isNear && isServed) return this.readCounted(reader, (page - 1) * perPage, perPage);
    return thenMaybe(this.total(reader), (total): MaybePromise<CountedRows | undefined> => {
      const window = offsetWindow({ page, perPage, total });
      if (window.take === 0) return { rows: [], total };
      if (!isSlow && !(isServed && ordering.indexed.exact && this.isWithin(window.skip))) return undefined;
      if (isNear) return this.readAtOnce(reader, (page - 1) * perPage, perPage);
      return this.readDeep(reader, window, total).then((rows) => ({ rows, total }));
    });
  }

  private isWithin(rows: number): boolean {
    return rows * this.combinations <= MAX_PASSED_OVER;
  }

  private readCounted(reader: ValueReader, skip: number, take: number): MaybePromise<CountedRows> {
    if (!this.hasIndex) return this.readAtOnce(reader, skip, take);
    const { counting, rows: reading } = (this.inTurn ??= cachedReads()).memo(String(take), {
      context: () => this.statementsOf(take),
    });
    return reader.readTransaction(() =>
      thenMaybe(reader.readValues(counting.sql, counting.params.bound({})), ([counted]) =>
        thenMaybe(reader.readValues(reading.sql, reading.params.bound({ skip })), (rows) => {
          return { rows, total: Number(counted?.[0]) };
        }),
      ),
    );
  }

  /**
   * Whether SQLite has all rows in order in one index, and passes over those before the page without looking at them: not
   * where the filter has several choices, and not where the order is not the index's own.
   */
  private get hasIndex(): boolean {
    const { ordering, isSlow } = this.plan;
    return this.dialect === 'sqlite' && !isSlow && ordering.indexed.exact && this.combinations === 1;
  }

  /** SQLite, in this process, is asked twice at one moment. */
  private statementsOf(take: number): CountedStatements {
    const { collection: table, columns, ordering, filter, isSlow } = this.plan;
    const scan = { table, columns, ordering, filter, isSlow, limit: take };
    return {
      counting: this.countingStatement(),
      rows: new Statement((params) => `${scanSql(scan, params)} OFFSET ${params.add(SKIP)}`),
    };
  }

  private countingStatement(): Statement {
    return new Statement((params) => `SELECT ${this.totalSql(params)}`);
  }

  private totalSql(params: Parameters): string {
    const { filter, isSlow } = this.plan;
    return this.totals.expression(this.dialect, filter, params, isSlow);
  }

  private readAtOnce(reader: ValueReader, skip: number, take: number): MaybePromise<CountedRows> {
    const size = readSize(skip + take);
    const { columns, ordering } = this.plan;
    const make = (): PageStatement =>
      new PageStatement(
        this.dialect,
        columns,
        (params) => this.totalSql(params),
        (params) => this.rowsSql(SKIP, take, size, params),
      );
    const statement = (this.atOnce ??= cachedReads()).memo(`${String(size)} ${String(take)}`, { context: make });
    return thenMaybe(statement.read(reader, { skip }), ({ rows, value }) => {
      return { rows: ordering.sorted(rows), total: Number(value) };
    });
  }

  private total(reader: ValueReader): MaybePromise<number> {
    const counting = this.countingStatement();
    return thenMaybe(reader.readValues(counting.sql, counting.params.bound({})), ([counted]) => Number(counted?.[0]));
  }

  /** Passes over the entries of an index alone, from the nearer end, to where the page begins. */
  private async readDeep(
    reader: ValueReader,
    { skip, take, fromEnd }: ReturnType<typeof offsetWindow>,
    total: number,
  ): Promise<readonly RowValues[]> {
    const { collection: table, columns, ordering, filter, isServed, isSlow } = this.plan;
    const { exact, column } = ordering.indexed;
    const scan = { table, columns, ordering, filter, isSlow, limit: take };
    // In the index's own order, the row before the page says where the page begins; otherwise the page's first row
    // has at least the right value of the first key.
    const position = (fromEnd ? total - skip - take : skip) - (exact ? 1 : 0);
    const order = ordering.indexed.orderBy(fromEnd);
    const found = await this.placeAt(reader, fromEnd ? total - 1 - position : position, order);
    if (found === undefined) return [];
    if (exact) return readOf(this.dialect, { ...scan, after: found })(reader, {});
    const start = await this.startAt(reader, found);
    if (isServed) {
      if (start.skip === 0) return readOf(this.dialect, { ...scan, from: start })(reader, {});
      const after = await this.placeAt(reader, start.skip - 1, 'id', equals(column, start.value));
      return after === undefined ? [] : readOf(this.dialect, { ...scan, after })(reader, {});
    }
    const params = new Parameters();
    const sql = this.rowsSql(start.skip, take, readSize(start.skip + take), params, start);
    return ordering.sorted(await reader.readValues(sql, params.values));
  }

  /**
   * Where the row stands in the order of the index: its value of the first sort key, and its id.
   * @param only a condition on the rows that are passed over.
   */
  private async placeAt(
    reader: ValueReader,
    offset: number,
    orderBy: string,
    only?: (params: Parameters) => string,
  ): Promise<Place | undefined> {
    const { collection, ordering, filter } = this.plan;
    const { column } = ordering.indexed;
    const params = new Parameters();
    // Without the hints of filterConditions: how many rows the offset passes over matters here.
    const parts = singleFilters(filter)
      .map((single) => [
        ...filterConditions('sqlite', single, params),
        ...(only === undefined ? [] : [only(params)]),
        ...this.inTime,
      ])
      .map((where) => `SELECT ${column}, id FROM ${collection} WHERE ${where.join(' AND ') || 'TRUE'}`)
      .join(' UNION ALL ');
    const sql = `${parts} ORDER BY ${orderBy} LIMIT 1 OFFSET ${params.add(offset)}`;
    const [row] = await reader.readValues(sql, params.values);
    return row && { key: [(row[0] ?? null) as KeyValue], id: String(row[1]) };
  }

  /** How many rows of its value of the first key come before a row, in the order of the index. */
  private async startAt(reader: ValueReader, place: Place): Promise<Start> {
    const { collection, ordering, filter } = this.plan;
    const { column, idDescends } = ordering.indexed;
    const value = place.key[0] ?? null;
    const params = new Parameters();
    const conditions = [
      ...filterConditions(this.dialect, filter, params),
      equals(column, value)(params),
      `id ${idDescends ? '>' : '<'} ${params.add(place.id)}`,
      ...this.inTime,
    ];
    const sql = `SELECT count(*) AS n FROM ${collection} WHERE ${conditions.join(' AND ')}`;
    const [counted] = await reader.readValues(sql, params.values);
    return { value, skip: Number(counted?.[0]) };
  }

  private get inTime(): readonly string[] {
    return this.plan.isSlow ? [IN_TIME[this.dialect]] : [];
  }

  /** Reads keys first, which an index holds, and only the rows of the page by their ids. */
  private rowsSql(skip: number | Slot, take: number, limit: number, params: Parameters, from?: Start): string {
    const { collection: table, columns, ordering, filter, isSlow } = this.plan;
    const keys = scanSql({ table, columns: ordering.columns, filter, ordering, from, isSlow, limit }, params);
    const ids = `SELECT id FROM (${keys}) keys ORDER BY ${ordering.orderBy()}
      LIMIT ${String(take)} OFFSET ${params.add(skip)}`;
    return `SELECT ${columns.join(', ')} FROM ${table} WHERE id IN (${ids})`;
  }
}

const SKIP: Slot = ({ skip }) => skip ?? 0;

/** Of so many keys, or some more. */
function readSize(atLeast: number): number {
  return READ_SIZES.find((size) => size >= atLeast) ?? atLeast;
}
