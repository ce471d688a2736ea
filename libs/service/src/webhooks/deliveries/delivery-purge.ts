import { ALL_PARENTS } from '../../data/definition/parent-keys.js';
import { BackgroundWork, type WarningLog } from '../../data/background/background-work.js';
import { BATCH, inBatches } from '../../data/background/in-batches.js';
import type { Database, SqlValue } from '../../data/database/database.js';
import { codeOf } from '../../data/database/error-codes.js';
import { NIL } from 'uuid';

import { FIRST_POSITION } from '../../feed/event-id.js';
import { oldestAt, purgePeriodMs } from '../../feed/old-rows.js';
import type { CountedCollection } from '../../data/writes/recount.js';

import { DeliveryPartitions, CLOSED_STATE } from './delivery-partitions.js';
import { unlessGone, type DeliveryRows } from './delivery-rows.js';

type PurgedRows = Pick<DeliveryRows, 'delete'> & { readonly definition: CountedCollection };

const POSTPONED = 'Could not delete old deliveries or create partitions; retrying later';

const NEXT_WEBHOOK = `SELECT d.webhook_id, (SELECT w.id FROM webhooks w WHERE w.id = d.webhook_id) AS known
  FROM deliveries d WHERE d.webhook_id > $1 ORDER BY d.webhook_id LIMIT 1`;
const OF_WEBHOOK = `SELECT id FROM deliveries WHERE webhook_id = $1 LIMIT ${String(BATCH)}`;

/**
 * If the retention time is shorter than this number of partition lengths, deliveries are deleted one by one. Otherwise
 * whole partitions are dropped, late by up to one partition length: at most 1/5 of the retention time.
 */
const MIN_PARTITIONS_TO_DROP = 5;

interface NextWebhook {
  readonly webhook_id: string;
  readonly known: string | null;
}

/** Deletes deliveries older than the retention time of events, and those of deleted webhooks. */
export class DeliveryPurge extends BackgroundWork {
  private readonly partitions: DeliveryPartitions;
  private readonly isShort: boolean;

  constructor(
    private readonly database: Database,
    private readonly rows: PurgedRows,
    private readonly warnings: WarningLog,
    private readonly keptMs: number,
    partitionMs?: number,
  ) {
    const partitions = new DeliveryPartitions(database, rows.definition, partitionMs);
    super(warnings, Math.min(purgePeriodMs(keptMs), partitions.periodMs), POSTPONED);
    this.partitions = partitions;
    this.isShort = keptMs < MIN_PARTITIONS_TO_DROP * partitions.lengthMs;
  }

  /**
   * Creates and reopens partitions. Call before the first write. If creation fails, writes use the default partition.
   */
  async prepare(): Promise<void> {
    await this.preparePartitions().catch((error: unknown) => {
      this.warnings.warn(`${POSTPONED}: ${String(error)}`);
    });
  }

  async purge(stop?: AbortSignal, nowMs = Date.now()): Promise<number> {
    let gone = 0;
    if (this.keptMs !== Infinity) {
      for (const part of this.isShort ? ['deliveries'] : await this.partitions.rest()) {
        const old = `SELECT id FROM ${part} WHERE created_at < $1 ORDER BY created_at LIMIT ${String(BATCH)}`;
        gone += await this.inSteps(old, Math.floor(nowMs - this.keptMs), stop);
      }
    }
    for (let webhook: string = NIL; stop?.aborted !== true;) {
      const [next] = await this.database.query<NextWebhook>(NEXT_WEBHOOK, [webhook]);
      if (next === undefined) break;
      webhook = next.webhook_id;
      if (next.known === null) gone += await this.inSteps(OF_WEBHOOK, webhook, stop);
    }
    // Drop partitions last: this fails if the database role does not own the table.
    if (this.keptMs !== Infinity) await this.partitions.drop(oldestAt(this.keptMs, nowMs), stop);
    return gone;
  }

  protected override async work(stop: AbortSignal): Promise<void> {
    try {
      await this.preparePartitions();
    } finally {
      await this.purge(stop);
    }
  }

  private async preparePartitions(): Promise<void> {
    await this.partitions.makeAhead();
    await this.partitions.reopen(this.keptMs === Infinity ? FIRST_POSITION : oldestAt(this.keptMs, Date.now()));
  }

  private inSteps(sql: string, of: SqlValue, stop: AbortSignal | undefined): Promise<number> {
    return inBatches(async () => {
      const found = await this.database.query<{ id: string }>(sql, [of]);
      try {
        await this.database.transaction(async (tx) => {
          for (const { id } of found) await unlessGone(this.rows.delete(tx, id, () => undefined, ALL_PARENTS));
        });
      } catch (error) {
        // Skip these rows, because their closed partition will be dropped.
        if (codeOf(error) === CLOSED_STATE) return 0;
        throw error;
      }
      return found.length;
    }, stop);
  }
}
