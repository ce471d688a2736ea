import { formatTime } from '@items/collections';
import type { DisabledReason } from '@items/dtos/contract';
import { ApiError } from '@items/conventions';
import type { Transaction } from '@items/store';

import { giveUpWaiting } from '../deliveries/delivery-rows.js';
import { beginNextReplay } from '../definition/replays.js';
import { lockState, noteProgress } from '../definition/webhook-state.js';
import type { Dispatch } from './dispatch.js';
import type { DueJobs } from './due-jobs.js';
import type { Outcome } from './job.js';
import type { ReceiverHealth } from './receiver-health.js';
import { recordOutcomes } from './record-outcomes.js';
import { PAUSE_MS } from './schedule.js';
import { ShownProgress, type Shown } from './shown-progress.js';
import { MAX_UNWRITTEN, type UnderWay } from './under-way.js';

/** While others are under way, outcomes are gathered for so long, or until there are so many: a commit costs more than they. */
const GATHER_MS = 50;
const GATHERED = 25;
/** How often a place that has moved without a delivery is written. */
const NOTE_MS = 5000;

/** What has become of writing: another instance sends by now; somebody else has set the place; or the webhook is disabled. */
export type Written = 'written' | 'lost' | 'outdated' | 'ended' | 'later';

interface Note {
  readonly made: ReadonlyMap<string, string>;
  readonly place: string;
  /** Whether nobody else has set the place meanwhile. */
  readonly isCurrent: boolean;
  /** Undefined where it was not the time. */
  readonly shown: Shown | undefined;
  /** Whether the webhook was disabled with it. */
  readonly isEnded: boolean;
}

/** Writes what has become of a webhook's attempts together with its place: what is done with is never sent again. */
export class OutcomeWriter {
  private readonly progress: ShownProgress;
  private againAt = 0;
  private beganAt = -Infinity;
  private notedPlace = '';
  private notedAt = 0;

  constructor(
    private readonly webhookId: string,
    private readonly dispatch: Dispatch,
    private readonly holder: string,
    private readonly of: {
      readonly underWay: UnderWay;
      readonly due: DueJobs;
      readonly health: ReceiverHealth;
    },
  ) {
    this.progress = new ShownProgress(webhookId, dispatch);
  }

  /** @param place that is written. */
  async load(place: string): Promise<void> {
    await this.progress.load();
    this.notedPlace = place;
  }

  /** Something has changed that the webhook does not show yet. */
  noticeChange(): void {
    this.progress.change();
  }

  /** Whether there is something to write, and it is time. */
  get isDue(): boolean {
    const { underWay, due, health } = this.of;
    const now = this.dispatch.clock.monotonic();
    if (now < this.againAt) return false;
    if (health.ending !== undefined) return true;
    if (underWay.outcomes.length > 0) return !this.isGathering(now);
    if (this.progress.isDue) return true;
    return due.first.place() !== this.notedPlace && now - this.notedAt >= NOTE_MS;
  }

  /** Writes what there is, in one transaction. @param fence of the state that was loaded. */
  async write(fence: number): Promise<Written> {
    const { underWay, due, health } = this.of;
    const { clock, database, log } = this.dispatch;
    this.beganAt = clock.monotonic();
    const batch = underWay.outcomes.slice(0, MAX_UNWRITTEN);
    const { ending } = health;
    try {
      const work = (tx: Transaction): Promise<Note | undefined> => this.writeWithin(tx, batch, ending, fence);
      // What a loss of power takes away is sent once more; that a webhook was disabled is an event, which others may have read.
      const note = await (ending === undefined ? database.relaxedTransaction(work) : database.transaction(work));
      underWay.written(batch.length);
      if (note === undefined) return 'lost';
      for (const [eventId, deliveryId] of note.made) due.waiting.written(eventId, deliveryId);
      for (const { job } of batch) {
        due.first.written(job.eventId);
        if (job.reason === 'replay') due.replay.written(job.eventId);
      }
      this.settle(note);
      due.replay.settle();
      if (ending !== undefined) {
        if (note.isEnded) this.dispatch.onEnd?.(this.webhookId, ending);
        health.ending = undefined;
        due.waiting.clear();
      }
      if (!note.isCurrent) return 'outdated';
      return ending === undefined ? 'written' : 'ended';
    } catch (error) {
      this.againAt = clock.monotonic() + PAUSE_MS;
      if (!(error instanceof ApiError)) {
        log.warn(`Deliveries of webhook ${this.webhookId} are written later: ${String(error)}`);
      }
      return 'later';
    }
  }

  private isGathering(now: number): boolean {
    const { underWay } = this.of;
    return underWay.size > 0 && underWay.outcomes.length < GATHERED && now - this.beganAt < GATHER_MS;
  }

  private settle({ place, shown, isCurrent }: Note): void {
    if (isCurrent) [this.notedPlace, this.notedAt] = [place, this.dispatch.clock.monotonic()];
    if (shown === undefined) this.progress.change();
    else this.progress.settle(shown);
  }

  /** @returns undefined where another instance sends by now. */
  private async writeWithin(
    tx: Transaction,
    batch: readonly Outcome[],
    ending: DisabledReason | undefined,
    fence: number,
  ): Promise<Note | undefined> {
    const { database, deliveries } = this.dispatch;
    const { due, health } = this.of;
    const state = await lockState(database, tx, this.webhookId);
    if (state === undefined || state.holder !== this.holder) return undefined;
    const made = await recordOutcomes(tx, deliveries, this.webhookId, batch);
    const done = new Set(batch.map(({ job }) => job.eventId));
    const isCurrent = state.fence === fence;
    const place = due.first.place(done);
    let isEnded = false;
    if (isCurrent) {
      const replayAfter = due.replay.after(done);
      await noteProgress(tx, this.webhookId, {
        place,
        begun: due.first.begun,
        failing_since: health.failingSince,
        failed_at: health.failedAt,
        hold_until: health.holdUntil,
        replay_after: replayAfter,
      });
      if (replayAfter === null) await beginNextReplay(tx, this.webhookId, state);
      if (ending !== undefined) isEnded = await this.disable(tx, ending);
    }
    const shown = this.progress.isTime || ending !== undefined ? await this.show(tx, done) : undefined;
    return { made, place, isCurrent, shown, isEnded };
  }

  private show(tx: Transaction, done: ReadonlySet<string>): Promise<Shown> {
    const { first, waiting } = this.of.due;
    const [oldestLeft] = [...first.unwritten, ...waiting.events]
      .filter((id) => !done.has(id) || waiting.has(id))
      .sort();
    return this.progress.write(tx, oldestLeft, this.of.health.failingSince);
  }

  /** @returns whether it was not disabled yet. */
  private async disable(tx: Transaction, reason: DisabledReason): Promise<boolean> {
    const { webhooks, deliveries } = this.dispatch;
    const { failingSince } = this.of.health;
    const [row] = await tx.query<{ disabled: number }>('SELECT disabled FROM webhooks WHERE id = $1', [this.webhookId]);
    if (row?.disabled !== 0) return false;
    await webhooks.lockAndUpdate(tx, this.webhookId, () => ({
      disabled: true,
      disabled_reason: reason,
      failing_since: failingSince === null ? null : formatTime(failingSince),
    }));
    await giveUpWaiting(tx, deliveries, this.webhookId);
    return true;
  }
}
