import type { Dialect } from '../schema/dialect.js';

/** Selects a stamp above every committed write of any collection with events or an audit. */
const ABOVE_ALL = 'SELECT coalesce(max(seq), 0) + 1 AS next FROM collection_lanes WHERE ordered = 1';

/**
 * `ordered`: the collection has an audit and no events. `events`: it has events. The stamps of all `ordered` and
 * `events` collections, in all lanes, have one order.
 */
export type StampOrder = 'none' | 'ordered' | 'events';

/** Reads and advances a clock: on PostgreSQL in the statement of the write, on SQLite before and after the write. */
export class ClockSql {
  constructor(
    private readonly dialect: Dialect,
    private readonly stampOrder: StampOrder,
  ) {}

  get above(): readonly string[] {
    return this.stampOrder === 'none' ? [] : [`above AS MATERIALIZED (${ABOVE_ALL})`];
  }

  /**
   * On SQLite, returns the next stamp of a lane and the latest announced start of a walk. Begins with SELECT, so that
   * the transaction counts it as a read. Parameters: collection, now, lane.
   */
  read(): string {
    return `SELECT lane, ${this.next('$2')} AS seq, walks_until FROM collection_lanes
      WHERE collection = $1 AND lane = $3`;
  }

  /** Parameters: lane, seq, collection, change of the row count. */
  advance(): string {
    return `UPDATE collection_lanes SET seq = $2, n = n + $4${this.markEvent('$2')} WHERE collection = $3 AND lane = $1`;
  }

  next(now: string): string {
    const isSqlite = this.dialect === 'sqlite';
    const above = this.stampOrder === 'none' ? '' : `, tick + 1, (${isSqlite ? ABOVE_ALL : 'SELECT next FROM above'})`;
    return `${isSqlite ? 'max' : 'greatest'}(seq + 1, ${now}${above})`;
  }

  /** Marks that this stamp made an event, and counts a gap after a stamp without an event. */
  markEvent(stamp: string): string {
    if (this.stampOrder !== 'events') return '';
    return `, gaps = gaps + CASE WHEN event_seq = seq THEN 0 ELSE 1 END, event_seq = ${stamp}`;
  }
}
