import { formatTime } from '../../data/definition/column-codecs.js';
import type { DisabledReason } from '@items/dtos/contract';
import { ApiError } from '@items/conventions';
import type { Transaction } from '../../data/database/database.js';

import { giveUpWaiting, PING } from '../deliveries/delivery-rows.js';
import { beginNextReplay } from '../definition/replays.js';
import { lockState, noteProgress } from '../definition/webhook-state.js';
import type { Dispatch } from './dispatch.js';
import type { DueJobs } from './due-jobs.js';
import type { Outcome } from './job.js';
import type { ReceiverHealth } from './receiver-health.js';
import { recordOutcomes } from './record-outcomes.js';
import { PAUSE_MS } from './schedule.js';
import { ShownProgress, type Shown } from './shown-progress.js';
import type { UnderWay } from './under-way.js';

/** While others are under way, outcomes are gathered for so long, or until there are so many: a commit costs more than they. */
const GATHER_MS = 50;
const GATHERED = 25;
/** Outcomes that are not recorded yet: beyond that many nothing is begun. */
const MAX_UNRECORDED = 50;
/** How often a position that has moved without a delivery is recorded. */
const NOTE_MS = 5000;

/** What has become of it: another instance sends by now; somebody else has set the position; or the webhook is disabled. */
export type Recorded = 'recorded' | 'lost' | 'outdated' | 'ended' | 'later';

interface Note {
  readonly made: ReadonlyMap<string, string>;
  readonly place: string;
  /** Whether no other instance has set the place meanwhile. */
  readonly isCurrent: boolean;
  /** Undefined where it was not the time. */
  readonly shown: Shown | undefined;
  /** Whether the webhook was disabled with it. */
  readonly isEnded: boolean;
}

/**
 * Records what has become of a webhook's attempts together with its position in the feed: what is done with is never sent
 * again.
 */
export class Records {
  private readonly progress: ShownProgress;
  private unrecorded: Outcome[] = [];
  private againAt = -Infinity;
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

  /** @param place that is recorded. */
  async load(place: string): Promise<void> {
    await this.progress.load();
    this.notedPlace = place;
  }

  add(outcome: Outcome): void {
    this.unrecorded.push(outcome);
  }

  /** Whether an attempt for this event is over, and its outcome not recorded. */
  isWaiting(eventId: string): boolean {
    return this.unrecorded.some(({ job }) => job.eventId === eventId);
  }

  get isEmpty(): boolean {
    return this.unrecorded.length === 0;
  }

  get isFull(): boolean {
    return this.unrecorded.length >= MAX_UNRECORDED;
  }

  /** Something has changed that the webhook does not show yet. */
  noticeChange(): void {
    this.progress.change();
  }

  /** Another instance sends by now: what has become of attempts is not for this one to record. */
  lose(): void {
    this.unrecorded = [];
  }

  /** In how many milliseconds there is something to record; 0 for now, Infinity while there is nothing. */
  get dueInMs(): number {
    const at = Math.max(this.dueAt, this.againAt);
    return Math.max(at - this.dispatch.clock.monotonic(), 0);
  }

  /** Records what there is, in one transaction. @param fence of the state that was loaded. */
  async record(fence: number): Promise<Recorded> {
    const { due, health } = this.of;
    const { clock, database, log } = this.dispatch;
    this.beganAt = clock.monotonic();
    const batch = this.unrecorded.slice(0, MAX_UNRECORDED);
    const { ending } = health;
    try {
      const work = (tx: Transaction): Promise<Note | undefined> => this.recordWithin(tx, batch, ending, fence);
      // What a loss of power takes away is sent once more; that a webhook was disabled is an event, which others may have read.
      const note = await (ending === undefined ? database.relaxedTransaction(work) : database.transaction(work));
      this.unrecorded.splice(0, batch.length);
      if (note === undefined) return 'lost';
      for (const [eventId, deliveryId] of note.made) due.waiting.written(eventId, deliveryId);
      for (const { job } of batch) {
        if (job.type !== PING) due.first.written(job.eventId);
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
      return ending === undefined ? 'recorded' : 'ended';
    } catch (error) {
      this.againAt = clock.monotonic() + PAUSE_MS;
      if (!(error instanceof ApiError)) {
        log.warn(`Deliveries of webhook ${this.webhookId} were not recorded; this will be retried: ${String(error)}`);
      }
      return 'later';
    }
  }

  /** On the monotonic clock. */
  private get dueAt(): number {
    const { underWay, due, health } = this.of;
    if (health.ending !== undefined) return -Infinity;
    if (!this.isEmpty) {
      const isGathering = underWay.size > 0 && this.unrecorded.length < GATHERED;
      return isGathering ? this.beganAt + GATHER_MS : -Infinity;
    }
    const noteAt = due.first.place() === this.notedPlace ? Infinity : this.notedAt + NOTE_MS;
    return Math.min(noteAt, this.progress.dueAt);
  }

  private settle({ place, shown, isCurrent }: Note): void {
    if (isCurrent) [this.notedPlace, this.notedAt] = [place, this.dispatch.clock.monotonic()];
    if (shown === undefined) this.progress.change();
    else this.progress.settle(shown);
  }

  /** @returns undefined where another instance sends by now. */
  private async recordWithin(
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
