import type pg from 'pg';

import { WALKS_UNTIL } from '../../data/schema/walks-until.js';
import { quoted } from '../../data/schema/quoted.js';
import type { Sqlite } from '../../data/sqlite/sqlite.js';
import type { OperationContext } from '../operation.js';
import { OperationError } from '../session/operation-error.js';
import { namesFrom } from '../session/postgres-session.js';

export type Row = Readonly<Record<string, unknown>>;

/** Column that orders a feed on SQLite. PostgreSQL has no such column. */
const PLACE = 'place';

interface SqliteColumn {
  readonly name: string;
  readonly type: string;
  /** Position in the key, from 1; 0 for other columns. */
  readonly pk: number;
}

/** Copies a table in the order of its key, so that an interrupted copy can continue. */
export abstract class CopiedTable {
  readonly isFeed: boolean;
  /** Columns that both databases have. */
  protected readonly columns: readonly string[];
  /** Columns of the key, or all columns of a table without a key. */
  protected readonly order: readonly string[];

  constructor(
    readonly name: string,
    protected readonly file: Sqlite,
  ) {
    const all = file.pragma(`table_info(${quoted(name)})`) as SqliteColumn[];
    if (all.length === 0) throw new OperationError(`The file has no table ${name}.`);
    this.isFeed = all.some((column) => column.name === PLACE && isRowNumber(column));
    const own = all.filter((column) => !isRowNumber(column) && !isWalksUntil(name, column));
    this.columns = own.map((column) => column.name);
    const key = own.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    this.order = (key.length > 0 ? key : own).map((column) => column.name);
  }

  protected abstract source(): AsyncIterable<Row> | Iterable<Row>;
  protected abstract target(): AsyncIterator<Row> | Iterator<Row>;
  protected abstract clear(): unknown;
  protected abstract insert(rows: AsyncIterable<Row>): Promise<void>;
  /** Number of rows in the source; undefined if unknown before the copy. */
  protected abstract size(): number | undefined;

  /** Contains `columns`, and for a feed also `place`. */
  protected get all(): readonly string[] {
    return this.isFeed ? [PLACE, ...this.columns] : this.columns;
  }

  /**
   * Copies the rows. Continues an interrupted copy if its rows equal the first rows of the source.
   * @returns the number of rows in the table.
   */
  async fill({ print, progress }: Pick<OperationContext, 'print' | 'progress'>): Promise<number> {
    const { name } = this;
    const alike = await this.compared(progress);
    if (alike === undefined) await this.clear();
    const done = alike?.count ?? 0;
    const size = this.size();
    progress.end();
    if (done > 0 && done !== size) print(`${name}: continues after ${String(done)} rows`);
    let total = 0;
    const source = this.source();
    async function* rest(): AsyncGenerator<Row> {
      for await (const row of source) {
        total += 1;
        if (total <= done) continue;
        progress.at(`${name} copied`, total, size ?? total);
        yield row;
      }
    }
    await this.insert(rest());
    progress.end();
    print(`${name}: ${String(total)} rows`);
    return total;
  }

  async verify(progress: OperationContext['progress']): Promise<void> {
    if ((await this.compared(progress))?.isWhole === true) return;
    throw new OperationError(`The rows of ${this.name} are not the same in both databases: run the command again.`);
  }

  /** Counts the rows of the target. Returns undefined if these rows differ from the first rows of the source. */
  private async compared(
    progress: OperationContext['progress'],
  ): Promise<{ readonly count: number; readonly isWhole: boolean } | undefined> {
    const size = this.size();
    const target = this.target();
    let count = 0;
    try {
      let copied = await target.next();
      for await (const row of this.source()) {
        if (copied.done === true) return { count, isWhole: false };
        if (this.line(row) !== this.line(copied.value)) return undefined;
        count += 1;
        progress.at(`${this.name} compared`, count, size ?? count);
        copied = await target.next();
      }
      return copied.done === true ? { count, isWhole: true } : undefined;
    } finally {
      await target.return?.();
    }
  }

  private line(row: Row): string {
    return JSON.stringify(this.all.map((column) => row[column] ?? null));
  }
}

/** SQLite's row number, which PostgreSQL lacks. */
function isRowNumber({ type, pk }: SqliteColumn): boolean {
  return type === 'INTEGER' && pk === 1;
}

/** Only SQLite has `walks_until`: see walks-until.ts. */
function isWalksUntil(table: string, { name }: SqliteColumn): boolean {
  return table === WALKS_UNTIL.table && name === WALKS_UNTIL.column;
}

/** Returns ORDER BY terms, so that PostgreSQL sorts like SQLite: texts by code point, and null first. */
export async function sqliteOrder(
  client: pg.Client,
  schema: string,
  table: string,
  columns: readonly string[],
): Promise<string[]> {
  const texts = await namesFrom(
    client,
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = $1 AND table_name = $2 AND data_type IN ('text', 'character varying')`,
    [schema, table],
  );
  return columns.map((column) => `${quoted(column)}${texts.includes(column) ? ' COLLATE "C"' : ''} NULLS FIRST`);
}
