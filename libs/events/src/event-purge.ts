import { BackgroundWork, BATCH, inBatches, type Database, type WarningLog } from '@items/store';

import { lastIdAt } from './event-id.js';
import { keyColumn, keyOf } from './event-key.js';

/** Rounds in the time that events are kept. */
const ROUNDS = 60;
const SHORTEST_PERIOD_MS = 1000;
const LONGEST_PERIOD_MS = 600_000;
/** What a page that is being read still lists is not yet purged: longer than two statements may take, in milliseconds. */
const MARGIN_MS = 15_000;

/** Deletes events that are too old to be listed, in the background and in small steps. */
export class EventPurge extends BackgroundWork {
  /** @param keptMs how long events are kept, in milliseconds; Infinity for ever. */
  constructor(
    private readonly database: Database,
    log: WarningLog,
    private readonly keptMs: number,
  ) {
    const periodMs = Math.min(Math.max(keptMs / ROUNDS, SHORTEST_PERIOD_MS), LONGEST_PERIOD_MS);
    super(log, periodMs, 'Old events are deleted later');
  }

  /**
   * The last row that is too old stays: it is the place of those who have read all there was.
   * @returns events that are gone.
   */
  purge(stop?: AbortSignal, nowMs = Date.now()): Promise<number> {
    const oldest = lastIdAt(nowMs - this.keptMs - MARGIN_MS);
    const { dialect } = this.database;
    const key = keyColumn(dialect);
    const skipLocked = dialect === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : '';
    const sql = `DELETE FROM events WHERE ${key} IN (SELECT ${key} FROM events
      WHERE ${key} < (SELECT ${key} FROM events WHERE ${key} <= $1 ORDER BY ${key} DESC LIMIT 1)
      ORDER BY ${key} LIMIT ${String(BATCH)} ${skipLocked}) RETURNING 1 AS gone`;
    const deleteSome = (): Promise<unknown[]> =>
      this.database.transaction((tx) => tx.query(sql, [keyOf(dialect, oldest)]));
    return inBatches(async () => (await deleteSome()).length, stop);
  }

  protected override async work(stop: AbortSignal): Promise<void> {
    if (this.keptMs !== Infinity) await this.purge(stop);
  }
}
