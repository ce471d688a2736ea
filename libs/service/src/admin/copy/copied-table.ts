import type { Sqlite } from '../../data/sqlite/sqlite.js';
import { WALKS_UNTIL } from '../../data/schema/announced-walks.js';
import type pg from 'pg';

import { quoted } from '../../data/schema/quoted.js';
import { OperationError } from '../session/operation-error.js';
import { rowsOf } from '../session/postgres-session.js';
import type { Progress } from '../session/progress.js';
import type { StagingSchema, TableRow } from '../restore/staging-schema.js';

/** Types of PostgreSQL that need a collation to be compared by code point, as in SQLite. */
const TEXTS = new Set(['text', 'character varying']);

type Row = Readonly<Record<string, unknown>>;

interface SqliteColumn {
  readonly name: string;
  readonly type: string;
  /** Position in the key, from 1; 0 for other columns. */
  readonly pk: number;
}

export class CopiedTable {
  private readonly order: readonly string[];
  private readonly columns: readonly string[];

  constructor(
    readonly name: string,
    private readonly source: Sqlite,
    private readonly client: pg.Client,
    private readonly staging: StagingSchema,
  ) {
    const all = source.pragma(`table_info(${quoted(name)})`) as SqliteColumn[];
    if (all.length === 0) throw new OperationError(`The file has no table ${name}.`);
    const columns = all.filter((column) => !isRowNumber(column) && !isWalksUntil(name, column));
    this.columns = columns.map((column) => column.name);
    const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    this.order = (key.length > 0 ? key : columns).map((column) => column.name);
  }

  async fill(tell: (line: string) => void, progress: Progress): Promise<number> {
    let done = await this.alike(progress);
    if (done === undefined) {
      await this.client.query(`TRUNCATE ${this.staging.table(this.name)}`);
      done = 0;
    }
    const total = this.count();
    progress.end();
    if (done > 0 && done < total) tell(`${this.name}: goes on after ${String(done)} rows`);
    await this.staging.add(this.rest(done, total, progress));
    progress.end();
    tell(`${this.name}: ${String(total)} rows`);
    return total;
  }

  async verify(progress: Progress): Promise<void> {
    const same = await this.alike(progress);
    if (same === this.count()) return;
    throw new OperationError(`The rows of ${this.name} are not the same in both databases: run the command again.`);
  }

  /** Undefined unless the rows in the target are the first ones of the source. */
  private async alike(progress: Progress): Promise<number | undefined> {
    const total = this.count();
    const rows = this.rows()[Symbol.iterator]();
    let count = 0;
    const types = await this.types();
    const order = this.order.map(
      (column) => `${quoted(column)}${TEXTS.has(types.get(column) ?? '') ? ' COLLATE "C"' : ''} NULLS FIRST`,
    );
    const sql = `SELECT row_to_json(t)::text FROM ${this.staging.table(this.name)} t ORDER BY ${order.join(', ')}`;
    await this.client.query('BEGIN');
    try {
      for await (const batch of rowsOf(this.client, sql)) {
        for (const text of batch) {
          const next = rows.next();
          if (next.done === true || this.line(next.value) !== this.line(JSON.parse(text) as Row)) return undefined;
          count += 1;
        }
        progress.at(`${this.name} compared`, count, total);
      }
      return count;
    } finally {
      rows.return?.();
      await this.client.query('ROLLBACK');
    }
  }

  private *rest(done: number, total: number, progress: Progress): Generator<TableRow> {
    let count = 0;
    for (const row of this.rows()) {
      count += 1;
      if (count <= done) continue;
      progress.at(`${this.name} copied`, count, total);
      yield { table: this.name, row: JSON.stringify(row) };
    }
  }

  private rows(): IterableIterator<Row> {
    const order = this.order.map(quoted).join(', ');
    const columns = this.columns.map(quoted).join(', ');
    return this.source.prepare<[], Row>(`SELECT ${columns} FROM ${quoted(this.name)} ORDER BY ${order}`).iterate();
  }

  private count(): number {
    const sql = `SELECT count(*) AS n FROM ${quoted(this.name)}`;
    return this.source.prepare<[], { n: number }>(sql).get()?.n ?? 0;
  }

  private line(row: Row): string {
    return JSON.stringify(this.columns.map((column) => row[column]));
  }

  private async types(): Promise<Map<string, string>> {
    const sql = `SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2`;
    const { rows } = await this.client.query<{ column_name: string; data_type: string }>(sql, [
      this.staging.name,
      this.name,
    ]);
    return new Map(rows.map(({ column_name: column, data_type: type }) => [column, type]));
  }
}

/** SQLite's row number; tables of PostgreSQL have no such column. */
function isRowNumber({ type, pk }: SqliteColumn): boolean {
  return type === 'INTEGER' && pk === 1;
}

/** Walks that continue in the copy do not need the column: their versions are copied, and all later ones are stored. */
function isWalksUntil(table: string, { name }: SqliteColumn): boolean {
  return table === WALKS_UNTIL.table && name === WALKS_UNTIL.column;
}
