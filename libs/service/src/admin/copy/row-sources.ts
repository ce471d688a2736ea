import type pg from 'pg';

import { quoted } from '../../data/schema/quoted.js';
import { LANES } from '../../data/schema/schema.js';
import { SqlitePlaces } from '../../feed/sqlite-places.js';
import { rowsOf } from '../session/postgres-session.js';
import { type Row, sqliteOrder } from './copied-table.js';

const LANE = LANES.sqlite - 1;
/** Only cursors use these tables. They are not copied, because a copy invalidates cursors. */
const ONLY_FOR_CURSORS = ['epoch_ends'];
/** Excludes settings of the source database: cursor epoch, WAL timeline, last backup, running instances. */
export const COPIED_SETTINGS = "name NOT IN ('epoch', 'timeline', 'backup') AND name NOT LIKE 'instance %'";
/** Columns of `collection_lanes` whose values are summed over the lanes. */
const SUMMED_COLUMNS = ['n', 'gaps'];
const CLOCKS = ['seq', 'floor', 'checkpoint'];

/**
 * Converts rows of PostgreSQL for SQLite: merges the lanes (clocks) of a collection, and adds the `place` that orders a
 * feed.
 */
export class RowSources {
  private lastStamp = 0;

  constructor(
    private readonly client: pg.Client,
    private readonly schema: string,
  ) {}

  isOmitted(columns: readonly string[], table: string): boolean {
    return columns.includes('lane_to') || ONLY_FOR_CURSORS.includes(table);
  }

  /**
   * Read feeds before clocks, because a clock must not be below the last event.
   * @param hasPlace whether the table is a feed.
   */
  async *rows(
    table: string,
    columns: readonly string[],
    order: readonly string[],
    hasPlace: boolean,
  ): AsyncGenerator<Row> {
    const places = hasPlace ? new SqlitePlaces() : undefined;
    const ordered = hasPlace ? ['id'] : await sqliteOrder(this.client, this.schema, table, order);
    const sql = `SELECT row_to_json(t)::text FROM (${this.selected(table, columns)}) t ORDER BY ${ordered.join(', ')}`;
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
      // The entity tag contains the lane, too.
      if (table === 'idempotency_records' && column === 'etag')
        return `regexp_replace(etag, '^("[0-9a-z]+)-[0-9a-z]+', '\\1-${LANE.toString(36)}') AS etag`;
      return quoted(column);
    });
    return `SELECT ${expressions.join(', ')} ${from}${table === 'settings' ? ` WHERE ${COPIED_SETTINGS}` : ''}`;
  }

  /**
   * Merges the lanes of each collection into one lane with the latest clock. The `floor` is the same clock, because no
   * old versions are copied. A gap in the feed of any lane (`seq` and `event_seq` differ) remains a gap.
   */
  private clocks(columns: readonly string[], from: string): string {
    const latest = `greatest(${String(this.lastStamp)}, (SELECT max(greatest(seq, tick)) ${from}))`;
    const expressions = columns.map((column) => {
      if (column === 'collection') return column;
      if (column === 'lane') return `${String(LANE)} AS lane`;
      if (CLOCKS.includes(column)) return `${latest} AS ${column}`;
      if (column === 'tick') return '0 AS tick';
      if (column === 'event_seq') return `CASE WHEN bool_and(seq = event_seq) THEN ${latest} ELSE 0 END AS event_seq`;
      return `${SUMMED_COLUMNS.includes(column) ? 'sum' : 'max'}(${column})::bigint AS ${column}`;
    });
    return `SELECT ${expressions.join(', ')} ${from} GROUP BY collection`;
  }
}
