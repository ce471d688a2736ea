import type { Dialect } from '../schema/dialect.js';

/** Selects a stamp above every committed write of a collection with events or an audit. */
const ABOVE_ALL = 'SELECT coalesce(max(seq), 0) + 1 AS next FROM collection_lanes WHERE ordered = 1';

/** Records of each write: none; one order over all lanes; or this order and an event. */
export type Recording = 'none' | 'ordered' | 'events';

/**
 * SQL that reads and advances a clock. PostgreSQL does both in the statement that writes the row. SQLite has one
 * writer, so it reads the clock before the write and advances it afterwards.
 */
export class ClockSql {
  constructor(
    private readonly dialect: Dialect,
    private readonly recording: Recording,
  ) {}

  get above(): readonly string[] {
    return this.recording === 'none' ? [] : [`above AS MATERIALIZED (${ABOVE_ALL})`];
  }

  /**
   * Builds the statement of SQLite that reads the next stamp of a lane and the latest announced start of a walk.
   * Parameters: collection, now, lane. It must begin with SELECT, so that the database treats it as a read.
   */
  read(): string {
    return `SELECT lane, ${this.next('$2')} AS seq, walks_until FROM collection_lanes
      WHERE collection = $1 AND lane = $3`;
  }

  /**
   * Builds the statement that sets the clock of a lane and adds to the row count. Parameters: lane, seq, collection,
   * rows.
   */
  advance(): string {
    return `UPDATE collection_lanes SET seq = $2, n = n + $4${this.noted('$2')} WHERE collection = $3 AND lane = $1`;
  }

  next(now: string): string {
    const isSqlite = this.dialect === 'sqlite';
    const above = this.recording === 'none' ? '' : `, tick + 1, (${isSqlite ? ABOVE_ALL : 'SELECT next FROM above'})`;
    return `${isSqlite ? 'max' : 'greatest'}(seq + 1, ${now}${above})`;
  }

  /** Builds further assignments: this stamp made an event, and whether the previous one did not (a gap). */
  noted(stamp: string): string {
    if (this.recording !== 'events') return '';
    return `, gaps = gaps + CASE WHEN event_seq = seq THEN 0 ELSE 1 END, event_seq = ${stamp}`;
  }
}
