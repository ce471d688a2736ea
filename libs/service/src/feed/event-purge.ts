import { BackgroundWork, type WarningLog } from '../data/background/background-work.js';
import type { Database } from '../data/database/database.js';

import { EventPartitions } from './event-partitions.js';
import { deleteOldRows, oldestAt, purgePeriodMs } from './old-rows.js';

const POSTPONED = 'Old events are deleted later';

/** Takes away events that are too old to be listed, in the background: partitions whole, else rows in small steps. */
export class EventPurge extends BackgroundWork {
  private readonly partitions: EventPartitions;

  /**
   * @param keptMs how long events are kept, in milliseconds; Infinity for ever.
   * @param partitionMs how long a partition of PostgreSQL is; a day where it is left out.
   */
  constructor(
    private readonly database: Database,
    private readonly warnings: WarningLog,
    private readonly keptMs: number,
    partitionMs?: number,
  ) {
    const partitions = new EventPartitions(database, partitionMs);
    super(warnings, Math.min(purgePeriodMs(keptMs), partitions.periodMs), POSTPONED);
    this.partitions = partitions;
  }

  /** Before the first write: its partition is there. Without it, the write has its place all the same. */
  async prepare(): Promise<void> {
    await this.partitions.makeAhead().catch((error: unknown) => {
      this.warnings.warn(`${POSTPONED}: ${String(error)}`);
    });
  }

  /**
   * The last row that is too old stays: it is the place of those who have read all there was.
   * @returns events that are gone, beside those that went with their partition.
   */
  async purge(stop?: AbortSignal, nowMs = Date.now()): Promise<number> {
    const oldest = oldestAt(this.keptMs, nowMs);
    await this.partitions.drop(oldest);
    let gone = 0;
    for (const part of await this.partitions.rest()) {
      gone += await deleteOldRows(this.database, { part, feed: 'events' }, oldest, stop);
    }
    return gone;
  }

  protected override async work(stop: AbortSignal): Promise<void> {
    try {
      await this.partitions.makeAhead();
    } finally {
      if (this.keptMs !== Infinity) await this.purge(stop);
    }
  }
}
