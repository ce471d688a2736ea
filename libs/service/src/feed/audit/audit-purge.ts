import { BackgroundWork, type WarningLog } from '../../data/background/background-work.js';
import type { Database } from '../../data/database/database.js';

import { deleteOldRows, oldestAt, purgePeriodMs } from '../old-rows.js';

export class AuditPurge extends BackgroundWork {
  constructor(
    private readonly database: Database,
    log: WarningLog,
    private readonly keptMs: number,
  ) {
    super(log, purgePeriodMs(keptMs), 'Could not delete expired audit events; retrying later');
  }

  purge(stop?: AbortSignal, nowMs = Date.now()): Promise<number> {
    const table = { part: 'audit_events', feed: 'audit_events' };
    return deleteOldRows(this.database, table, oldestAt(this.keptMs, nowMs), stop);
  }

  protected override async work(stop: AbortSignal): Promise<void> {
    if (this.keptMs !== Infinity) await this.purge(stop);
  }
}
