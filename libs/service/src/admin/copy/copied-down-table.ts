import type { Sqlite } from '../../data/sqlite/sqlite.js';
import { WALKS_UNTIL } from '../../data/schema/announced-walks.js';

import { quoted } from '../../data/schema/quoted.js';
import { OperationError } from '../session/operation-error.js';
import type { Progress } from '../session/progress.js';
import { OWN_SETTINGS, type Row, type RowSources } from './row-sources.js';

const BATCH_ROWS = 2000;
/** SQLite's column for the order of a feed. */
const PLACE = 'place';

interface SqliteColumn {
  readonly name: string;
  readonly type: string;
  /** Position in the key, from 1; 0 for other columns. */
  readonly pk: number;
}

export class CopiedDownTable {
  readonly isFeed: boolean;
  /** Columns that both databases have; `all` are those of SQLite. */
  private readonly columns: readonly string[];
  private readonly all: readonly string[];
  private readonly order: readonly string[];

  /** @param texts columns of PostgreSQL whose default order depends on a collation. */
  constructor(
    readonly name: string,
    private readonly target: Sqlite,
    private readonly sources: RowSources,
    private readonly texts: ReadonlySet<string>,
  ) {
    const columns = target.pragma(`table_info(${quoted(name)})`) as SqliteColumn[];
    const isNumber = ({ type, pk }: SqliteColumn): boolean => type === 'INTEGER' && pk === 1;
    this.isFeed = columns.some((column) => column.name === PLACE && isNumber(column));
    const own = columns.filter(
      (column) => !isNumber(column) && !(name === WALKS_UNTIL.table && column.name === WALKS_UNTIL.column),
    );
    this.columns = own.map((column) => column.name);
    this.all = this.isFeed ? [PLACE, ...this.columns] : this.columns;
    const key = own.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    this.order = (key.length > 0 ? key : own).map((column) => column.name);
  }

  /**
   * Retains the rows of an interrupted copy if they are the first ones of the source.
   * @returns the number of rows in the table.
   */
  async fill(tell: (line: string) => void, progress: Progress): Promise<number> {
    let { alike: done } = await this.compared(progress);
    if (done === undefined) {
      this.target.exec(`DELETE FROM ${quoted(this.name)} ${this.where}`);
      done = 0;
    }
    if (done > 0) tell(`${this.name}: goes on after ${String(done)} rows`);
    const total = await this.add(done, progress);
    progress.end();
    tell(`${this.name}: ${String(total)} rows`);
    return total;
  }

  async verify(progress: Progress): Promise<void> {
    const { alike, total } = await this.compared(progress);
    if (alike === total) return;
    throw new OperationError(`The rows of ${this.name} are not the same in both databases: run the command again.`);
  }

  private get isLeftOut(): boolean {
    return this.sources.isLeftOut(this.columns, this.name);
  }

  private get where(): string {
    return this.name === 'settings' ? `WHERE ${OWN_SETTINGS}` : '';
  }

  private async *rows(): AsyncGenerator<Row> {
    if (this.isLeftOut) return;
    const order = this.order.map(
      (column) => `${quoted(column)}${this.texts.has(column) ? ' COLLATE "C"' : ''} NULLS FIRST`,
    );
    yield* this.sources.rows(this.name, this.columns, order, this.isFeed);
  }

  /**
   * @returns `alike`: number of rows in the target, undefined unless they are the first ones of the source; `total`:
   *   number of rows in the source.
   */
  private async compared(progress: Progress): Promise<{ alike: number | undefined; total: number }> {
    if (this.isLeftOut) return { alike: 0, total: 0 };
    const order = (this.isFeed ? [PLACE] : this.order).map(quoted).join(', ');
    const sql = `SELECT ${this.all.map(quoted).join(', ')} FROM ${quoted(this.name)} ${this.where} ORDER BY ${order}`;
    const copied = this.target.prepare<[], Row>(sql).iterate();
    let [alike, total, isSame] = [0, 0, true];
    let next = copied.next();
    for await (const row of this.rows()) {
      total += 1;
      progress.at(`${this.name} compared`, total, total);
      if (next.done === true) continue;
      isSame &&= this.line(row) === this.line(next.value);
      alike += 1;
      next = copied.next();
    }
    const isMore = next.done !== true;
    copied.return();
    return { alike: isSame && !isMore ? alike : undefined, total };
  }

  private async add(done: number, progress: Progress): Promise<number> {
    const names = this.all.map(quoted).join(', ');
    const places = this.all.map(() => '?').join(', ');
    const insert = this.target.prepare<unknown[]>(`INSERT INTO ${quoted(this.name)} (${names}) VALUES (${places})`);
    let total = 0;
    this.target.exec('BEGIN');
    for await (const row of this.rows()) {
      total += 1;
      if (total <= done) continue;
      insert.run(...this.all.map((column) => row[column] ?? null));
      progress.at(`${this.name} copied`, total, total);
      if (total % BATCH_ROWS === 0) this.target.exec('COMMIT; BEGIN');
    }
    this.target.exec('COMMIT');
    return total;
  }

  private line(row: Row): string {
    return JSON.stringify(this.all.map((column) => row[column] ?? null));
  }
}
