import { formatTime } from '../../data/definition/column-codecs.js';
import type { DisabledReason } from '@items/dtos/contract';
import { ApiError } from '@items/conventions';
import type { Transaction } from '../../data/database/database.js';

import { endPending, PING } from '../deliveries/delivery-rows.js';
import { beginNextReplay } from '../definition/replays.js';
import { lockState, saveProgress } from '../definition/webhook-state.js';
import type { Dispatch } from './dispatch.js';
import type { DueJobs } from './due-jobs.js';
import type { Outcome } from './job.js';
import { recordOutcomes } from './record-outcomes.js';
import { PAUSE_MS } from './schedule.js';
import { ShownProgress, type Shown } from './shown-progress.js';
import type { InFlightAttempts } from './in-flight-attempts.js';

/** While attempts are in progress, outcomes are batched up to this time or number. Commits are expensive. */
const GATHER_MS = 50;
const GATHERED = 25;
/** Maximum number of unrecorded outcomes. At this number, no attempt begins. */
const MAX_UNRECORDED = 50;
/** Interval of saving a position that moves past unselected events. */
const SAVE_POSITION_MS = 5000;

/**
 * `lost`: another instance took over, or the webhook is deleted; `outdated`: the position was reset, or a replay began;
 * `disabled`: recorded, and the webhook was disabled; `later`: recording failed, and is retried after a pause.
 */
export type Recorded = 'recorded' | 'lost' | 'outdated' | 'disabled' | 'later';

/** Records outcomes together with the webhook's position in the feed, so that recorded events are not sent again. */
export class OutcomeWriter {
  private readonly progress: ShownProgress;
  private retryAt = -Infinity;
  private lastRecordAt = -Infinity;
  private savedPosition = '';
  private savedAt = 0;

  constructor(
    private readonly webhookId: string,
    private readonly dispatch: Dispatch,
    private readonly holder: string,
    private readonly inFlight: InFlightAttempts,
    private readonly due: DueJobs,
  ) {
    this.progress = new ShownProgress(webhookId, dispatch);
  }

  async loadProgress(position: string): Promise<void> {
    await this.progress.load();
    this.savedPosition = position;
  }

  get isFull(): boolean {
    return this.inFlight.unrecorded.length >= MAX_UNRECORDED;
  }

  markProgressStale(): void {
    this.progress.markStale();
  }

  /** Milliseconds until recording is due; 0: now; Infinity: there is nothing to record. */
  get dueInMs(): number {
    const at = Math.max(this.dueAt, this.retryAt);
    return Math.max(at - this.dispatch.clock.monotonic(), 0);
  }

  /** @param fence of the loaded state. If the database has another fence, the position is not saved. */
  async record(fence: number): Promise<Recorded> {
    const { due, inFlight } = this;
    const { clock, database, log } = this.dispatch;
    this.lastRecordAt = clock.monotonic();
    const batch = inFlight.unrecorded.slice(0, MAX_UNRECORDED);
    const { disableReason } = due.health;
    try {
      const work = (tx: Transaction) => this.recordWithin(tx, batch, disableReason, fence);
      // A power failure may lose outcomes: their events are sent again. But `webhook.disabled` must be durable, because
      // others may have read this event.
      const committed = await (disableReason === undefined
        ? database.relaxedTransaction(work)
        : database.transaction(work));
      inFlight.unrecorded.splice(0, batch.length);
      if (committed === undefined) return 'lost';
      for (const [eventId, deliveryId] of committed.inserted) due.waiting.setDeliveryId(eventId, deliveryId);
      for (const { job } of batch) {
        if (job.type !== PING) due.first.markRecorded(job.eventId);
        if (job.reason === 'replay') due.replay.markRecorded(job.eventId);
      }
      if (committed.isCurrent) [this.savedPosition, this.savedAt] = [committed.position, clock.monotonic()];
      this.progress.onCommitted(committed.shown);
      due.replay.endIfRecorded();
      if (disableReason !== undefined) {
        due.health.disableReason = undefined;
        due.waiting.clear();
      }
      if (!committed.isCurrent) return 'outdated';
      return disableReason === undefined ? 'recorded' : 'disabled';
    } catch (error) {
      this.retryAt = clock.monotonic() + PAUSE_MS;
      if (!(error instanceof ApiError)) {
        log.warn(`Could not record deliveries of webhook ${this.webhookId}; retrying: ${String(error)}`);
      }
      return 'later';
    }
  }

  private get dueAt(): number {
    const { inFlight, due } = this;
    const { length } = inFlight.unrecorded;
    if (due.health.disableReason !== undefined) return -Infinity;
    if (length > 0) {
      const isGathering = inFlight.size > 0 && length < GATHERED;
      return isGathering ? this.lastRecordAt + GATHER_MS : -Infinity;
    }
    const saveAt = due.first.position() === this.savedPosition ? Infinity : this.savedAt + SAVE_POSITION_MS;
    return Math.min(saveAt, this.progress.dueAt);
  }

  /** @returns undefined if another instance has taken over, or the webhook is deleted. */
  private async recordWithin(
    tx: Transaction,
    batch: readonly Outcome[],
    disableReason: DisabledReason | undefined,
    fence: number,
  ) {
    const { database, deliveries } = this.dispatch;
    const { first, replay, health } = this.due;
    const state = await lockState(database, tx, this.webhookId);
    if (state === undefined || state.holder !== this.holder) return undefined;
    const inserted = await recordOutcomes(tx, deliveries, this.webhookId, batch);
    const done = new Set(batch.map(({ job }) => job.eventId));
    // A reset of the position or a new replay changes the fence, and must not be overwritten.
    const isCurrent = state.fence === fence;
    const position = first.position(done);
    if (isCurrent) {
      const replayAfter = replay.after(done);
      await saveProgress(tx, this.webhookId, {
        place: position,
        begun: first.begun,
        failing_since: health.failingSince,
        failed_at: health.failedAt,
        hold_until: health.holdUntil,
        replay_after: replayAfter,
      });
      if (replayAfter === null) await beginNextReplay(tx, this.webhookId, state);
      if (disableReason !== undefined) await this.disable(tx, disableReason);
    }
    const shown = this.progress.isIntervalOver || disableReason !== undefined ? await this.show(tx, done) : undefined;
    return { inserted, position, isCurrent, shown };
  }

  private show(tx: Transaction, done: ReadonlySet<string>): Promise<Shown> {
    const { first, waiting, health } = this.due;
    const [oldestLeft] = [...first.unrecorded, ...waiting.events]
      .filter((id) => !done.has(id) || waiting.has(id))
      .sort();
    return this.progress.write(tx, oldestLeft, health.failingSince);
  }

  private async disable(tx: Transaction, reason: DisabledReason): Promise<void> {
    const { webhooks, deliveries } = this.dispatch;
    const { failingSince } = this.due.health;
    const [row] = await tx.query<{ disabled: number }>('SELECT disabled FROM webhooks WHERE id = $1', [this.webhookId]);
    if (row?.disabled !== 0) return;
    await webhooks.lockAndUpdate(tx, this.webhookId, () => ({
      disabled: true,
      disabled_reason: reason,
      failing_since: failingSince === null ? null : formatTime(failingSince),
    }));
    await endPending(tx, deliveries, this.webhookId);
  }
}
