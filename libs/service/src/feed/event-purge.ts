import { BackgroundWork, type WarningLog } from '../data/background/background-work.js';
import type { Database, Transaction } from '../data/database/database.js';
import { deleteOldRows, oldestAt, purgePeriodMs } from './old-rows.js';
import { type PartitionedTable, TablePartitions } from './table-partitions.js';

const POSTPONED = 'Could not delete expired events or create partitions; retrying later';

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

  /** The last expired row stays: its id is the position of readers who have read everything. */
  async purge(stop?: AbortSignal, nowMs = Date.now()): Promise<number> {
    const oldest = oldestAt(this.keptMs, nowMs);
    let gone = 0;
    for (const part of await this.partitions.rest()) {
      gone += await deleteOldRows(this.database, { part, feed: 'events' }, oldest, stop);
    }
    // Runs last, because it fails for a database role that does not own the table.
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

const PARTITIONED_EVENTS: PartitionedTable = { name: 'events', lock: 0x17e_0092 };

export class EventPartitions extends TablePartitions {
  constructor(database: Database, lengthMs?: number) {
    super(database, PARTITIONED_EVENTS, lengthMs);
  }

  /** Retains the partition of the last expired row, as {@link EventPurge.purge} does. */
  protected override dropFirst(oldest: string): Promise<boolean> {
    return this.alone(async (tx: Transaction) => {
      for (const { name, end } of await this.expired(tx, oldest)) {
        const kept = await tx.query(
          `SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${name}) OR EXISTS (SELECT 1 FROM events WHERE id >= $1 AND id <= $2)`,
          [end, oldest],
        );
        if (kept.length === 0) continue;
        await tx.query(`DROP TABLE ${name}`);
        return true;
      }
      return false;
    });
  }
}
