import { SqlitePlaces } from '../../feed/sqlite-places.js';
import { LANES } from '../../data/schema/schema.js';
import type pg from 'pg';

import { quoted } from '../session/quoted.js';
import { rowsOf } from '../session/postgres-session.js';

export type Row = Readonly<Record<string, unknown>>;

/** The only lane of SQLite. */
const LANE = LANES.sqlite - 1;
/** Cursors end with the copy: what only they need is not in it. */
const ONLY_FOR_CURSORS = ['epoch_ends'];
/** Of the server itself: its epoch, and the mark of its timeline. */
export const OWN_SETTINGS = "name NOT IN ('epoch', 'timeline')";
/** Columns of the clocks that are added up; of others the greatest counts. */
const ADDED_UP = ['n', 'gaps'];
const CLOCKS = ['seq', 'floor', 'checkpoint'];

/** Rows of PostgreSQL as SQLite has them: of one lane, and feeds with a place for each row. */
export class RowSources {
  private lastStamp = 0;

  /** @param schema that the tables are in. @param client in a transaction that sees one moment. */
  constructor(
    private readonly client: pg.Client,
    private readonly schema: string,
  ) {}

  /** Whether only open cursors need the rows of a table. */
  isLeftOut(columns: readonly string[], table: string): boolean {
    return columns.includes('lane_to') || ONLY_FOR_CURSORS.includes(table);
  }

  /**
   * The rows of a table. Feeds come first: the clocks are behind their last rows.
   * @param order expressions by which they are sorted. @param hasPlace whether it is a feed.
   */
  async *rows(
    table: string,
    columns: readonly string[],
    order: readonly string[],
    hasPlace: boolean,
  ): AsyncGenerator<Row> {
    const places = hasPlace ? new SqlitePlaces() : undefined;
    const sql = `SELECT row_to_json(t)::text FROM (${this.selected(table, columns)}) t
      ORDER BY ${(hasPlace ? ['id'] : order).join(', ')}`;
    for await (const batch of rowsOf(this.client, sql)) {
      for (const text of batch) {
        const row = JSON.parse(text) as Row;
        yield places === undefined ? row : { ...row, place: places.next(String(row['id'])) };
      }
    }
    if (places === undefined) return;
    this.lastStamp = Math.max(this.lastStamp, places.lastStamp);
  }

  private selected(table: string, columns: readonly string[]): string {
    const from = `FROM ${quoted(this.schema)}.${quoted(table)}`;
    if (table === 'collection_lanes') return this.clocks(columns, from);
    if (table === 'collection_counts') {
      return `SELECT collection, grp, ${String(LANE)} AS lane, sum(n)::bigint AS n ${from}
        GROUP BY collection, grp HAVING sum(n) <> 0`;
    }
    const expressions = columns.map((column) => {
      if (column === 'lane') return `${String(LANE)} AS lane`;
      // It names the lane.
      if (table === 'idempotency_records' && column === 'etag')
        return `regexp_replace(etag, '^("[0-9a-z]+)-[0-9a-z]+', '\\1-${LANE.toString(36)}') AS etag`;
      return quoted(column);
    });
    return `SELECT ${expressions.join(', ')} ${from}${table === 'settings' ? ` WHERE ${OWN_SETTINGS}` : ''}`;
  }

  /**
   * One clock for each collection, behind all stamps: no version is kept, so no earlier moment is. A gap of the feed that is
   * not marked yet stays one.
   */
  private clocks(columns: readonly string[], from: string): string {
    const latest = `greatest(${String(this.lastStamp)}, (SELECT max(greatest(seq, tick)) ${from}))`;
    const expressions = columns.map((column) => {
      if (column === 'collection') return column;
      if (column === 'lane') return `${String(LANE)} AS lane`;
      if (CLOCKS.includes(column)) return `${latest} AS ${column}`;
      if (column === 'tick') return '0 AS tick';
      if (column === 'event_seq') return `CASE WHEN bool_and(seq = event_seq) THEN ${latest} ELSE 0 END AS event_seq`;
      return `${ADDED_UP.includes(column) ? 'sum' : 'max'}(${column})::bigint AS ${column}`;
    });
    return `SELECT ${expressions.join(', ')} ${from} GROUP BY collection`;
  }
}
