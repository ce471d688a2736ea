import type { Dialect } from '../schema/dialect.js';

/** Above the stamp of every committed write that made an event, or was audited. */
const ABOVE_ALL = 'SELECT coalesce(max(seq), 0) + 1 AS next FROM collection_lanes WHERE ordered = 1';

/** What is recorded of each write: nothing; so that all of them have one order; and whether it makes an event as well. */
export type Recording = 'none' | 'ordered' | 'events';

/**
 * The SQL by which a clock is read and advanced. PostgreSQL does both in the statement that writes the row; SQLite, which
 * has one writer, reads it before and advances it after.
 */
export class ClockSql {
  constructor(
    private readonly dialect: Dialect,
    private readonly recording: Recording,
  ) {}

  /** A part of a statement that {@link next} refers to on PostgreSQL; none where nothing is recorded. */
  get above(): readonly string[] {
    return this.recording === 'none' ? [] : [`above AS MATERIALIZED (${ABOVE_ALL})`];
  }

  /**
   * A statement of SQLite: the next stamp of a lane, and when walks may have begun. Parameters: collection, now, lane. It
   * begins with SELECT, by which the database knows that it writes nothing.
   */
  read(): string {
    return `SELECT lane, ${this.next('$2')} AS seq, walks_until FROM collection_lanes
      WHERE collection = $1 AND lane = $3`;
  }

  /** A statement: a lane stands at a stamp, and the collection has some rows more. Parameters: lane, seq, collection, rows. */
  advance(): string {
    return `UPDATE collection_lanes SET seq = $2, n = n + $4${this.noted('$2')} WHERE collection = $3 AND lane = $1`;
  }

  /** An expression: the stamp after that of the row of a clock. @param now microseconds. */
  next(now: string): string {
    const isSqlite = this.dialect === 'sqlite';
    const above = this.recording === 'none' ? '' : `, tick + 1, (${isSqlite ? ABOVE_ALL : 'SELECT next FROM above'})`;
    return `${isSqlite ? 'max' : 'greatest'}(seq + 1, ${now}${above})`;
  }

  /** Assignments behind others: that the write of this stamp has made an event, and whether the one before has not. */
  noted(stamp: string): string {
    if (this.recording !== 'events') return '';
    return `, gaps = gaps + CASE WHEN event_seq = seq THEN 0 ELSE 1 END, event_seq = ${stamp}`;
  }
}
