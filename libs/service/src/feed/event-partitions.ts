import type { Database, Transaction } from '../data/database/database.js';

import { type PartitionedTable, TablePartitions } from './table-partitions.js';

const PARTITIONED_EVENTS: PartitionedTable = { name: 'events', lock: 0x17e_0092 };

/** The partitions of the table of events. */
export class EventPartitions extends TablePartitions {
  /** @param lengthMs Length of a partition: a day, or less in tests. */
  constructor(database: Database, lengthMs?: number) {
    super(database, PARTITIONED_EVENTS, lengthMs);
  }

  /** Keeps the last expired row, because readers who have read everything use it as position. */
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
