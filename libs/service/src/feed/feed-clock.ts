import { Parameters } from '../data/lists/page-statement.js';
import { ServiceUnavailableError } from '@items/conventions';
import type { Database, Queryable } from '../data/database/database.js';
import { FIRST_CLOCK } from '../data/schema/schema.js';
import { setTimeout as sleep } from 'node:timers/promises';

import { lastIdSql, randomTail } from './event-id.js';
import { identitySql, keyColumn } from './event-key.js';
import type { FeedTable } from './feed-table.js';

/** How long a reader waits for the feed to be whole, in milliseconds: as long as a write may take. */
const PATIENCE_MS = 4000;
const PAUSE_MS = 25;

/** Where the feed stands, as one statement saw it. */
export interface FeedState {
  /** The last row before which nothing will ever appear: an event, or a gap. */
  readonly end: string;
  /** The last row before which writes have made no events; null where the feed has all rows. */
  readonly gap: string | null;
}

interface ClockRow {
  readonly top: number;
  readonly whole: boolean | number;
  readonly behind: boolean | number;
  readonly end: string | null;
  readonly gap: string | null;
}

/** 503: other instances write without events. */
export class EventsIncompleteError extends ServiceUnavailableError {
  constructor() {
    super(
      'events_incomplete',
      'Some writes make no events: an instance of an older version, or one with EVENTS=off, writes to the same database. Repeat the request when it has stopped.',
    );
  }
}

/**
 * Where the feed ends. PostgreSQL has several writers: an event is listed when no write that is still under way can come
 * before it. The horizon is the least of the clocks of all lanes: a write that holds a lane, or takes it later, stamps above
 * what the lane has committed. An idle lane is ticked forward where events lie behind it; one in use is left alone, so that
 * it holds the horizon back until it commits. SQLite has one writer: what is committed is in order.
 */
export class FeedClock {
  private ticking: Promise<void> | undefined;
  /** A look that has not begun: it sees all that was committed before it was asked for. */
  private coming: Promise<FeedState> | undefined;

  constructor(
    private readonly database: Database,
    private readonly table: FeedTable,
  ) {}

  /**
   * Where the feed stands, as far as it is whole: one look for all who ask in the same step.
   * @throws {EventsIncompleteError} 503: it is not, for as long as a write may take.
   */
  read(): Promise<FeedState> {
    return (this.coming ??= Promise.resolve().then(() => {
      this.coming = undefined;
      return this.look();
    }));
  }

  private async look(): Promise<FeedState> {
    for (const giveUpAt = performance.now() + PATIENCE_MS; ;) {
      // The mark of a gap goes some day, as all that is too old.
      const { end, gap, whole } = await this.ticked();
      if (whole && end !== null && end >= (gap ?? end)) return { end, gap };
      if (performance.now() > giveUpAt) throw new EventsIncompleteError();
      if (!whole) await this.mark();
      await sleep(PAUSE_MS);
    }
  }

  /**
   * The collections whose writes make events from now on. What was written before is not told. A lane in which nothing was
   * written is no reason to begin the feed anew.
   */
  async begin(collections: readonly string[]): Promise<void> {
    const known = `CASE WHEN seq = ${String(FIRST_CLOCK)} THEN seq ELSE event_seq END`;
    const begin = `UPDATE collection_lanes SET emits = 1, event_seq = ${known} WHERE collection = $1 AND emits = 0`;
    await this.database.transaction(async (tx) => {
      for (const collection of collections) await tx.query(begin, [collection]);
    });
    await this.mark();
  }

  private async ticked(): Promise<ClockRow> {
    const row = await this.state(this.database);
    if (!row.behind) return row;
    await (this.ticking ??= this.tick(row.top).finally(() => (this.ticking = undefined)));
    return this.state(this.database);
  }

  /** All of it is read in one statement: what is listed up to the end is read after it. */
  private async state(database: Queryable): Promise<ClockRow> {
    const { dialect } = this.database;
    const { name, clocks, mayHaveGaps } = this.table;
    const isPostgres = dialect === 'postgres';
    const last = `ORDER BY ${keyColumn(dialect)} DESC LIMIT 1`;
    const within = isPostgres ? `WHERE id <= ${lastIdSql(dialect, 'clock.horizon')}` : '';
    const isWhole = mayHaveGaps ? 'seq = event_seq AND gaps = 0' : '1 = 1';
    const all = isPostgres ? 'bool_and' : 'min';
    const least = isPostgres ? 'min(greatest(seq, tick))' : 'max(seq)';
    const [row] = await database.query<ClockRow>(
      `SELECT clock.top AS top, coalesce(clock.whole, ${isPostgres ? 'TRUE' : '1'}) AS whole, clock.top > clock.horizon AS behind,
        (SELECT id FROM ${name} ${within} ${last}) AS "end",
        (SELECT id FROM ${name} WHERE type = 'gap' ${last}) AS gap
       FROM (SELECT ${least} AS horizon, max(seq) AS top, ${all}(${isWhole}) AS whole
         FROM collection_lanes WHERE ${clocks} = 1) clock`,
    );
    if (row === undefined) throw new Error('An aggregate has one row.');
    return row;
  }

  /** Brings idle lanes forward. Those in use are passed over, not waited for. */
  private async tick(top: number): Promise<void> {
    await this.database.transaction((tx) =>
      tx.query(
        `UPDATE collection_lanes SET tick = $1 FROM (SELECT collection, lane FROM collection_lanes
           WHERE ${this.table.clocks} = 1 AND greatest(seq, tick) < $1 FOR UPDATE SKIP LOCKED) idle
         WHERE collection_lanes.collection = idle.collection AND collection_lanes.lane = idle.lane`,
        [top],
      ),
    );
  }

  /**
   * Marks the place behind writes that made no event: readers from before it get `expired_cursor`. A
   * lane in use is marked later. A feed without a row begins with such a mark.
   */
  private async mark(): Promise<void> {
    const { dialect } = this.database;
    const skipLocked = dialect === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : '';
    await this.database.transaction(async (tx) => {
      const lanes = await tx.query<{ collection: string; lane: number }>(
        `SELECT collection, lane FROM collection_lanes
         WHERE emits = 1 AND (seq <> event_seq OR gaps > 0 OR NOT EXISTS (SELECT 1 FROM events)) ${skipLocked}`,
      );
      if (lanes.length === 0) return;
      // A statement of its own: it sees what was committed before the lanes were taken.
      const [clock] = await tx.query<{ next: number }>(
        'SELECT max(seq) + 1 AS next FROM collection_lanes WHERE emits = 1',
      );
      const params = new Parameters();
      const identity = identitySql(dialect, 'mark.seq', params.add(randomTail('gap')), 'gap');
      await tx.query(
        `INSERT INTO events (${identity.columns}, type, api_version, data) SELECT ${identity.values}, 'gap', '', ''
         FROM (SELECT CAST(${params.add(clock?.next ?? 0)} AS bigint) AS seq) mark`,
        params.values,
      );
      // The clocks go beyond the mark: the next one, or an event, comes behind it.
      for (const { collection, lane } of lanes) {
        await tx.query(
          'UPDATE collection_lanes SET seq = $3, event_seq = $3, gaps = 0 WHERE collection = $1 AND lane = $2',
          [collection, lane, clock?.next ?? 0],
        );
      }
    });
  }
}
