import { BackgroundWork, BATCH, inBatches, type Database, type WarningLog } from '@items/store';

import { lastIdAt } from './event-id.js';

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
    const skipLocked = this.database.dialect === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : '';
    const sql = `DELETE FROM events WHERE id IN (SELECT id FROM events
      WHERE id < (SELECT id FROM events WHERE id <= $1 ORDER BY id DESC LIMIT 1)
      ORDER BY id LIMIT ${String(BATCH)} ${skipLocked}) RETURNING 1 AS gone`;
    const deleteSome = (): Promise<unknown[]> => this.database.transaction((tx) => tx.query(sql, [oldest]));
    return inBatches(async () => (await deleteSome()).length, stop);
  }

  protected override async work(stop: AbortSignal): Promise<void> {
    if (this.keptMs !== Infinity) await this.purge(stop);
  }
}
