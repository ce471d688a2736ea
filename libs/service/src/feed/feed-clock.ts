import { Parameters } from '../data/lists/page-statement.js';
import { ServiceUnavailableError } from '@items/conventions';
import type { Database, Queryable } from '../data/database/database.js';
import { FIRST_CLOCK } from '../data/schema/schema.js';
import { setTimeout as sleep } from 'node:timers/promises';

import { lastIdSql, randomTail } from './event-id.js';
import { identitySql, keyColumn } from './event-key.js';
import type { FeedTable } from './feed-table.js';

/** Maximum wait until the feed is complete: the timeout of one statement. */
const PATIENCE_MS = 4000;
const PAUSE_MS = 25;

export interface FeedState {
  /** Id of the last listed event or gap. No further row can appear before this id. */
  readonly end: string;
  /** Id of the last gap: writes before it may have made no events. Null if no gap is stored. */
  readonly gap: string | null;
}

interface ClockRow {
  readonly highest: number;
  readonly whole: boolean | number;
  readonly behind: boolean | number;
  readonly end: string | null;
  readonly gap: string | null;
}

/** 503: other instances write without making events. */
export class EventsIncompleteError extends ServiceUnavailableError {
  constructor() {
    super(
      'events_incomplete',
      'Some writes make no events: an instance of an older version, or one with EVENTS=off, writes to the same database. Repeat the request when it has stopped.',
    );
  }
}

/**
 * Finds the end of the feed. PostgreSQL has several lanes: clocks that a write locks until it commits. The feed lists
 * events up to the lowest clock of all lanes: all running writes come after them, because a write gets a stamp above
 * the clock of its lane. The tick of an idle lane moves its clock forward. A busy lane delays the end of the feed until
 * it commits. SQLite has one writer, so all committed events are in order.
 */
export class FeedClock {
  private ticking: Promise<void> | undefined;
  /** A call joins a read that has not started, so the read sees all commits before the call. */
  private nextRead: Promise<FeedState> | undefined;

  constructor(
    private readonly database: Database,
    private readonly table: FeedTable,
  ) {}

  /**
   * Concurrent callers share one read.
   * @throws {EventsIncompleteError} 503: the feed did not become complete in time.
   */
  read(): Promise<FeedState> {
    return (this.nextRead ??= Promise.resolve().then(() => {
      this.nextRead = undefined;
      return this.readWhenComplete();
    }));
  }

  private async readWhenComplete(): Promise<FeedState> {
    for (const giveUpAt = performance.now() + PATIENCE_MS; ;) {
      // A gap row expires like any row; then `gap` is null.
      const { end, gap, whole } = await this.stateAfterTick();
      if (whole && end !== null && end >= (gap ?? end)) return { end, gap };
      if (performance.now() > giveUpAt) throw new EventsIncompleteError();
      if (!whole) await this.insertGap();
      await sleep(PAUSE_MS);
    }
  }

  /** Adds collections to the feed. Inserts a gap if a lane has earlier writes. */
  async begin(collections: readonly string[]): Promise<void> {
    const known = `CASE WHEN seq = ${String(FIRST_CLOCK)} THEN seq ELSE event_seq END`;
    const begin = `UPDATE collection_lanes SET emits = 1, event_seq = ${known} WHERE collection = $1 AND emits = 0`;
    await this.database.transaction(async (tx) => {
      for (const collection of collections) await tx.query(begin, [collection]);
    });
    await this.insertGap();
  }

  private async stateAfterTick(): Promise<ClockRow> {
    const row = await this.state(this.database);
    if (!row.behind) return row;
    await (this.ticking ??= this.tick(row.highest).finally(() => (this.ticking = undefined)));
    return this.state(this.database);
  }

  /** Reads clocks, end and gap in one statement. Events up to the end are read afterwards. */
  private async state(database: Queryable): Promise<ClockRow> {
    const { dialect } = this.database;
    const { name, clocks, mayHaveGaps } = this.table;
    const isPostgres = dialect === 'postgres';
    const last = `ORDER BY ${keyColumn(dialect)} DESC LIMIT 1`;
    const within = isPostgres ? `WHERE id <= ${lastIdSql(dialect, 'clock.lowest')}` : '';
    const isWhole = mayHaveGaps ? 'seq = event_seq AND gaps = 0' : '1 = 1';
    const all = isPostgres ? 'bool_and' : 'min';
    const least = isPostgres ? 'min(greatest(seq, tick))' : 'max(seq)';
    const [row] = await database.query<ClockRow>(
      `SELECT clock.highest AS highest, coalesce(clock.whole, ${isPostgres ? 'TRUE' : '1'}) AS whole,
        clock.highest > clock.lowest AS behind,
        (SELECT id FROM ${name} ${within} ${last}) AS "end",
        (SELECT id FROM ${name} WHERE type = 'gap' ${last}) AS gap
       FROM (SELECT ${least} AS lowest, max(seq) AS highest, ${all}(${isWhole}) AS whole
         FROM collection_lanes WHERE ${clocks} = 1) clock`,
    );
    if (row === undefined) throw new Error('An aggregate has one row.');
    return row;
  }

  /** Moves idle lanes forward. Skips busy lanes instead of waiting for them. */
  private async tick(highest: number): Promise<void> {
    await this.database.transaction((tx) =>
      tx.query(
        `UPDATE collection_lanes SET tick = $1 FROM (SELECT collection, lane FROM collection_lanes
           WHERE ${this.table.clocks} = 1 AND greatest(seq, tick) < $1 FOR UPDATE SKIP LOCKED) idle
         WHERE collection_lanes.collection = idle.collection AND collection_lanes.lane = idle.lane`,
        [highest],
      ),
    );
  }

  /**
   * Inserts a gap after writes that made no events. Positions before the gap expire. Busy lanes are left to a later
   * call. An empty feed starts with a gap.
   */
  private async insertGap(): Promise<void> {
    const { dialect } = this.database;
    const skipLocked = dialect === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : '';
    await this.database.transaction(async (tx) => {
      const lanes = await tx.query<{ collection: string; lane: number }>(
        `SELECT collection, lane FROM collection_lanes
         WHERE emits = 1 AND (seq <> event_seq OR gaps > 0 OR NOT EXISTS (SELECT 1 FROM events)) ${skipLocked}`,
      );
      if (lanes.length === 0) return;
      // A separate statement sees all commits that precede the lock on the lanes.
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
      // Moves the clocks to the gap, so that the next event comes after the gap.
      for (const { collection, lane } of lanes) {
        await tx.query(
          'UPDATE collection_lanes SET seq = $3, event_seq = $3, gaps = 0 WHERE collection = $1 AND lane = $2',
          [collection, lane, clock?.next ?? 0],
        );
      }
    });
  }
}
