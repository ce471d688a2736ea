import { BackgroundWork, type WarningLog } from '../data/background/background-work.js';
import type { Database } from '../data/database/database.js';

import { EventPartitions } from './event-partitions.js';
import { deleteOldRows, oldestAt, purgePeriodMs } from './old-rows.js';

const POSTPONED = 'Could not delete expired events; the next round tries again';

/** Drops whole partitions, and deletes other rows in small batches. */
export class EventPurge extends BackgroundWork {
  private readonly partitions: EventPartitions;

  /**
   * @param keptMs Infinity disables the deletion.
   * @param partitionMs Length of a partition of PostgreSQL.
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

  /** Creates the partitions before the first write. If this fails, writes use the default partition. */
  async prepare(): Promise<void> {
    await this.partitions.makeAhead().catch((error: unknown) => {
      this.warnings.warn(`${POSTPONED}: ${String(error)}`);
    });
  }

  /** The last event stays, because readers who have read everything use it as position. */
  async purge(stop?: AbortSignal, nowMs = Date.now()): Promise<number> {
    const oldest = oldestAt(this.keptMs, nowMs);
    let gone = 0;
    for (const part of await this.partitions.rest()) {
      gone += await deleteOldRows(this.database, { part, feed: 'events' }, oldest, stop);
    }
    // Last, because it fails if the role of the service does not own the table.
    await this.partitions.drop(oldest, stop);
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
