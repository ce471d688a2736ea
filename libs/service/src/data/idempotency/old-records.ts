import { BackgroundWork, type WarningLog } from '../background/background-work.js';
import { BATCH, inBatches } from '../background/in-batches.js';
import type { Database } from '../database/database.js';
import { RETENTION_MS } from './idempotency.js';

const PERIOD_MS = 10 * 60 * 1000;

const DELETE_EXPIRED = `DELETE FROM idempotency_records WHERE (credential_id, route, key) IN
  (SELECT credential_id, route, key FROM idempotency_records WHERE created_at <= $1
   ORDER BY created_at LIMIT ${String(BATCH)}) RETURNING 1 AS deleted`;

/** Deletes expired records. SPEC §4.4 */
export class OldRecords extends BackgroundWork {
  constructor(
    private readonly database: Database,
    log: WarningLog,
  ) {
    super(log, PERIOD_MS, 'Could not delete expired idempotency records; retrying in 10 min');
  }

  deleteExpired(stop?: AbortSignal, nowMs = Date.now()): Promise<number> {
    const deleteBatch = (): Promise<unknown[]> =>
      this.database.transaction((tx) => tx.query(DELETE_EXPIRED, [nowMs - RETENTION_MS]));
    return inBatches(async () => (await deleteBatch()).length, stop);
  }

  protected override async work(stop: AbortSignal): Promise<void> {
    await this.deleteExpired(stop);
  }
}
