import { type Eventual, andThen } from '@items/conventions';
import { offsetWindow, type OffsetWindow } from '@items/paging';
import type { Database, RowValues } from '@items/store';

import type { KeyValue, Place } from './bindings.js';
import { filterConditions, singleFilters } from './filter-conditions.js';
import { equals } from './ordering.js';
import { KeptReads } from './kept-reads.js';
import { PageStatement } from './page-statement.js';
import { Parameters, type Slot, Statement } from './parameters.js';
import { readOf, scanSql } from './row-scan.js';
import type { Totals } from './totals.js';
import type { WalkPlan } from './walk.js';

/** Up to here the total and the rows are read by one statement; beyond, the total first, to read from the nearer end. */
const DEEP = 1000;
/** Keys to read for a page that is not deep: few sizes, since each is a statement of its own. */
const READ_SIZES = [20, 50, 100, 200, 500, DEEP];

/** The rows of a page, and how many rows match in all. */
export interface CountedRows {
  readonly rows: readonly RowValues[];
  readonly total: number;
}

/** What is asked one after the other. */
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
  private readonly atOnce = new KeptReads<PageStatement>();
  private readonly inTurn = new KeptReads<CountedStatements>();

  constructor(
    private readonly database: Database,
    private readonly plan: WalkPlan,
    private readonly totals: Totals,
  ) {}

  read(page: number, perPage: number): Eventual<CountedRows> {
    return page <= DEEP / perPage ? this.readCounted((page - 1) * perPage, perPage) : this.readFar(page, perPage);
  }

  private async readFar(page: number, perPage: number): Promise<CountedRows> {
    const total = await this.total();
    const window = offsetWindow({ page, perPage, total });
    return { rows: window.take === 0 ? [] : await this.readDeep(window, total), total };
  }

  private readCounted(skip: number, take: number): Eventual<CountedRows> {
    if (!this.hasIndex) return this.readAtOnce(skip, take);
    const { counting, rows: reading } = this.inTurn.get(String(take), () => this.statementsOf(take));
    return this.database.together(() =>
      andThen(this.database.readValues(counting.sql, counting.bound({})), ([counted]) =>
        andThen(this.database.readValues(reading.sql, reading.bound({ skip })), (rows) => {
          return { rows, total: Number(counted?.[0]) };
        }),
      ),
    );
  }

  /**
   * Whether SQLite has all rows in order in one index, and passes over those before the page without looking at them: not
   * where the filter has several choices, and not where it would sort whole rows that share a value.
   */
  private get hasIndex(): boolean {
    const { ordering, filter } = this.plan;
    const isSingle = Object.values(filter).every((values) => values.length === 1);
    return ordering.dialect === 'sqlite' && ordering.indexed.exact && isSingle;
  }

  /** SQLite, in this process, is asked twice at one moment. */
  private statementsOf(take: number): CountedStatements {
    const { collection: table, columns, ordering, filter } = this.plan;
    const scan = { table, columns, ordering, filter, limit: take };
    return {
      counting: new Statement((params) => `SELECT ${this.totals.expression(ordering.dialect, filter, params)}`),
      rows: new Statement((params) => `${scanSql(scan, params)} OFFSET ${params.add(SKIP)}`),
    };
  }

  private readAtOnce(skip: number, take: number): Eventual<CountedRows> {
    const size = readSize(skip + take);
    const { columns, filter, ordering } = this.plan;
    const { dialect } = this.database;
    const statement = this.atOnce.get(
      `${String(size)} ${String(take)}`,
      () =>
        new PageStatement(
          dialect,
          columns,
          (params) => this.totals.expression(dialect, filter, params),
          (params) => this.rowsSql(SKIP, take, size, params),
        ),
    );
    return andThen(statement.read(this.database, { skip }), ({ rows, value }) => {
      return { rows: ordering.sorted(rows), total: Number(value) };
    });
  }

  private async total(): Promise<number> {
    const params = new Parameters();
    const sql = `SELECT ${this.totals.expression(this.database.dialect, this.plan.filter, params)} AS total`;
    const [row] = await this.database.query<{ total: number | string }>(sql, params.values);
    return Number(row?.total);
  }

  /** Passes over the entries of an index alone, from the nearer end, to where the page begins. */
  private async readDeep({ skip, take, fromEnd }: OffsetWindow, total: number): Promise<readonly RowValues[]> {
    const { collection: table, columns, ordering, filter } = this.plan;
    const { exact } = ordering.indexed;
    // In the index's own order, the row before the page says where the page begins; otherwise the page's first row
    // has at least the right value of the first key.
    const position = (fromEnd ? total - skip - take : skip) - (exact ? 1 : 0);
    const after = await this.placeAt(fromEnd ? total - 1 - position : position, fromEnd);
    if (after === undefined) return [];
    if (exact) {
      return readOf(ordering.dialect, { table, columns, ordering, filter, after, limit: take })(this.database, {});
    }
    const start = await this.startAt(after);
    const params = new Parameters();
    const sql = this.rowsSql(start.skip, take, readSize(start.skip + take), params, start);
    return ordering.sorted(await this.database.readValues(sql, params.values));
  }

  /** Where the row stands in the order of the index: its value of the first sort key, and its id. */
  private async placeAt(offset: number, backward: boolean): Promise<Place | undefined> {
    const { collection, ordering, filter } = this.plan;
    const { column, orderBy } = ordering.indexed;
    const params = new Parameters();
    // Without the hints of filterConditions: how many rows the offset passes over matters here.
    const parts = singleFilters(filter)
      .map((single) => filterConditions('sqlite', single, params).join(' AND ') || 'TRUE')
      .map((where) => `SELECT ${column}, id FROM ${collection} WHERE ${where}`)
      .join(' UNION ALL ');
    const sql = `${parts} ORDER BY ${orderBy(backward)} LIMIT 1 OFFSET ${params.add(offset)}`;
    const [row] = await this.database.query<Record<string, KeyValue> & { id: string }>(sql, params.values);
    return row && { key: [row[column] ?? null], id: row.id };
  }

  /** How many rows of its value of the first key come before a row, in the order of the index. */
  private async startAt(place: Place): Promise<Start> {
    const { collection, ordering, filter } = this.plan;
    const { column, idDescends } = ordering.indexed;
    const value = place.key[0] ?? null;
    const params = new Parameters();
    const conditions = [
      ...filterConditions(ordering.dialect, filter, params),
      equals(column, value)(params),
      `id ${idDescends ? '>' : '<'} ${params.add(place.id)}`,
    ];
    const sql = `SELECT count(*) AS n FROM ${collection} WHERE ${conditions.join(' AND ')}`;
    const [counted] = await this.database.query<{ n: number | string }>(sql, params.values);
    return { value, skip: Number(counted?.n) };
  }

  /** Reads keys first, which an index holds, and only the rows of the page by their ids. */
  private rowsSql(skip: number | Slot, take: number, limit: number, params: Parameters, from?: Start): string {
    const { collection: table, columns, ordering, filter } = this.plan;
    const keys = scanSql({ table, columns: ordering.columns, filter, ordering, from, limit }, params);
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
