import { ALL_PARENTS } from '../../data/definition/parent-keys.js';
import { BackgroundWork, type WarningLog } from '../../data/background/background-work.js';
import { BATCH, inBatches } from '../../data/background/in-batches.js';
import type { Database } from '../../data/database/database.js';

import { unlessGone, type DeliveryRows } from './delivery-rows.js';

/** Purges per retention time. */
const ROUNDS = 60;
const SHORTEST_PERIOD_MS = 1000;
const LONGEST_PERIOD_MS = 600_000;

const OLD = `SELECT id FROM deliveries WHERE created_at < $1 ORDER BY created_at LIMIT ${String(BATCH)}`;
const NEXT_WEBHOOK = `SELECT d.webhook_id, (SELECT w.id FROM webhooks w WHERE w.id = d.webhook_id) AS known
  FROM deliveries d WHERE d.webhook_id > $1 ORDER BY d.webhook_id LIMIT 1`;
const OF_WEBHOOK = `SELECT id FROM deliveries WHERE webhook_id = $1 LIMIT ${String(BATCH)}`;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Deletes deliveries that are older than the oldest events, and those of deleted webhooks. */
export class DeliveryPurge extends BackgroundWork {
  constructor(
    private readonly database: Database,
    private readonly rows: DeliveryRows,
    log: WarningLog,
    private readonly keptMs: number,
  ) {
    const periodMs = Math.min(Math.max(keptMs / ROUNDS, SHORTEST_PERIOD_MS), LONGEST_PERIOD_MS);
    super(log, periodMs, 'Could not delete old deliveries; this will be retried');
  }

  async purge(stop?: AbortSignal, nowMs = Date.now()): Promise<number> {
    let gone = 0;
    if (this.keptMs !== Infinity) gone += await this.inSteps(OLD, Math.floor(nowMs - this.keptMs), stop);
    for (let webhook = BEFORE_ALL; stop?.aborted !== true;) {
      const [next] = await this.database.query<{ webhook_id: string; known: string | null }>(NEXT_WEBHOOK, [webhook]);
      if (next === undefined) break;
      webhook = next.webhook_id;
      if (next.known === null) gone += await this.inSteps(OF_WEBHOOK, webhook, stop);
    }
    return gone;
  }

  protected override async work(stop: AbortSignal): Promise<void> {
    await this.purge(stop);
  }

  private inSteps(sql: string, of: number | string, stop: AbortSignal | undefined): Promise<number> {
    return inBatches(async () => {
      const found = await this.database.query<{ id: string }>(sql, [of]);
      await this.database.transaction(async (tx) => {
        for (const { id } of found) await unlessGone(this.rows.delete(tx, id, () => undefined, ALL_PARENTS));
      });
      return found.length;
    }, stop);
  }
}
