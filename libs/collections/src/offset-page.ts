import { type Eventual, andThen } from '@items/conventions';
import { offsetWindow, type OffsetWindow } from '@items/paging';
import type { Database } from '@items/store';
import type { VersionedRow } from '@items/store/parts';

import type { KeyValue } from './bindings.js';
import { filterConditions, singleFilters } from './filter-conditions.js';
import { equals } from './ordering.js';
import { KeptReads } from './kept-reads.js';
import { Parameters, type Slot, Statement } from './parameters.js';
import { BESIDE, readOf, scanSql } from './row-scan.js';
import type { Totals } from './totals.js';
import type { WalkPlan } from './walk.js';

/** Up to here the total and the rows are read by one statement; beyond, the total first, to read from the nearer end. */
const DEEP = 1000;
/** Keys to read for a page that is not deep: few sizes, since each is a statement of its own. */
const READ_SIZES = [20, 50, 100, 200, 500, DEEP];

/** The rows of a page, and how many rows match in all. */
export interface CountedRows<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

/** Where a page begins: so many rows into those that share a value of the first sort key, and what follows them. */
interface Start {
  readonly value: KeyValue;
  readonly skip: number;
}

/** Pages in offset style, with their exact total. SPEC §4 */
export class OffsetPages<Row extends VersionedRow> {
  private readonly kept = new KeptReads<Statement>();

  constructor(
    private readonly database: Database,
    private readonly plan: WalkPlan,
    private readonly totals: Totals,
  ) {}

  read(page: number, perPage: number): Eventual<CountedRows<Row>> {
    return page <= DEEP / perPage ? this.readCounted((page - 1) * perPage, perPage) : this.readFar(page, perPage);
  }

  private async readFar(page: number, perPage: number): Promise<CountedRows<Row>> {
    const total = await this.total();
    const window = offsetWindow({ page, perPage, total });
    return { rows: window.take === 0 ? [] : await this.readDeep(window, total), total };
  }

  private readCounted(skip: number, take: number): Eventual<CountedRows<Row>> {
    const size = readSize(skip + take);
    const statement = this.kept.get(
      `${String(size)} ${String(take)}`,
      () =>
        new Statement((params) => {
          const total = this.totals.expression(this.database.dialect, this.plan.filter, params);
          return `SELECT counted.*, page.* FROM (SELECT ${total} AS "${BESIDE}") counted
       LEFT JOIN (${this.rowsSql(SKIP, take, size, params)}) page ON TRUE`;
        }),
    );
    const found = this.database.read<Row & { [BESIDE]: number | string }>(statement.sql, statement.bound({ skip }));
    return andThen(found, (found) => {
      const rows = found.filter((row) => (row.id as string | null) !== null);
      return { rows: this.plan.ordering.sorted(rows), total: Number(found[0]?.[BESIDE]) };
    });
  }

  private async total(): Promise<number> {
    const params = new Parameters();
    const sql = `SELECT ${this.totals.expression(this.database.dialect, this.plan.filter, params)} AS total`;
    const [row] = await this.database.query<{ total: number | string }>(sql, params.values);
    return Number(row?.total);
  }

  /** Passes over the entries of an index alone, from the nearer end, to where the page begins. */
  private async readDeep({ skip, take, fromEnd }: OffsetWindow, total: number): Promise<Row[]> {
    const { collection: table, columns, ordering, filter } = this.plan;
    const { exact } = ordering.indexed;
    // In the index's own order, the row before the page says where the page begins; otherwise the page's first row
    // has at least the right value of the first key.
    const position = (fromEnd ? total - skip - take : skip) - (exact ? 1 : 0);
    const found = await this.rowAt(fromEnd ? total - 1 - position : position, fromEnd);
    if (found === undefined) return [];
    if (exact) {
      const after = ordering.placeOf(found);
      return readOf<Row>(ordering.dialect, { table, columns, ordering, filter, after, limit: take })(this.database, {});
    }
    const start = await this.startAt(found);
    const params = new Parameters();
    return ordering.sorted(
      await this.database.query<Row>(
        this.rowsSql(start.skip, take, readSize(start.skip + take), params, start),
        params.values,
      ),
    );
  }

  private async rowAt(offset: number, backward: boolean): Promise<Row | undefined> {
    const { collection, ordering, filter } = this.plan;
    const { column, orderBy } = ordering.indexed;
    const params = new Parameters();
    // Without the hints of filterConditions: how many rows the offset passes over matters here.
    const parts = singleFilters(filter)
      .map((single) => filterConditions('sqlite', single, params).join(' AND ') || 'TRUE')
      .map((where) => `SELECT ${column}, id FROM ${collection} WHERE ${where}`)
      .join(' UNION ALL ');
    const sql = `${parts} ORDER BY ${orderBy(backward)} LIMIT 1 OFFSET ${params.add(offset)}`;
    const [row] = await this.database.query<Row>(sql, params.values);
    return row;
  }

  /** How many rows of its value of the first key come before a row, in the order of the index. */
  private async startAt(row: Row): Promise<Start> {
    const { collection, ordering, filter } = this.plan;
    const { column, idDescends } = ordering.indexed;
    const value = ordering.placeOf(row).key[0] ?? null;
    const params = new Parameters();
    const conditions = [
      ...filterConditions(ordering.dialect, filter, params),
      equals(column, value)(params),
      `id ${idDescends ? '>' : '<'} ${params.add(row.id)}`,
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
