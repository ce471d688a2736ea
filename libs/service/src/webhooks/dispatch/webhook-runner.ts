import { ApiError } from '@items/conventions';

import type { DueDelivery } from '../deliveries/delivery-rows.js';
import type { WebhookState } from '../definition/webhook-state.js';
import { Changes } from './changes.js';
import type { Dispatch, RunnerConfig } from './dispatch.js';
import { DueJobs } from './due-jobs.js';
import type { Job, Outcome } from './job.js';
import { judgeResult } from './judge-result.js';
import type { Leases } from './leases.js';
import { ReceiverHealth } from './receiver-health.js';
import { OutcomeWriter } from './outcome-writer.js';
import type { PacedWebhook, AttemptPacer } from './attempt-pacer.js';
import { InFlightAttempts, type Attempted } from './in-flight-attempts.js';

/**
 * Sends for one webhook while this instance holds its lease. Three loops wait for changes: one reads due jobs, one
 * begins them, one records outcomes. The database stores only the position in the feed and the deliveries, written
 * together in small batches after the attempts. After a crash, attempts in progress are repeated.
 */
export class WebhookRunner implements PacedWebhook {
  private fence = -1;
  private isLoaded = false;
  private isClosed = false;
  private readonly health: ReceiverHealth;
  private readonly due: DueJobs;
  private readonly inFlight: InFlightAttempts;
  private readonly outcomes: OutcomeWriter;
  private readonly changes = new Changes();
  private readonly loops: readonly Promise<void>[];
  private recording: Promise<void> = Promise.resolve();

  constructor(
    private readonly id: string,
    private readonly dispatch: Dispatch,
    private readonly leases: Pick<Leases, 'holder' | 'isHeld'>,
    private readonly pacer: AttemptPacer,
    private config: RunnerConfig,
  ) {
    const inFlight = new InFlightAttempts(id, dispatch, () => leases.isHeld(id));
    const health = new ReceiverHealth(dispatch.policy.disableAfterMs);
    const atWork = {
      get size() {
        return inFlight.size;
      },
      isSending: (eventId: string) => inFlight.isSending(eventId),
      isUnrecorded: (eventId: string) => inFlight.isSending(eventId) || this.outcomes.isWaiting(eventId),
    };
    const due = new DueJobs(id, dispatch, atWork, health);
    this.outcomes = new OutcomeWriter(id, dispatch, leases.holder, { inFlight, due, health });
    [this.inFlight, this.health, this.due] = [inFlight, health, due];
    this.loops = [this.readLoop(), this.beginLoop(), this.recordLoop()];
  }

  get follows(): boolean {
    return !this.isClosed && !this.config.disabled && this.config.visible !== undefined && this.dispatch.events.isOn;
  }

  get isFailing(): boolean {
    return this.health.isFailing;
  }

  /** @param requested deliveries of this webhook with a requested attempt. */
  async update(config: RunnerConfig, state: WebhookState, requested: readonly DueDelivery[]): Promise<void> {
    const isOther =
      JSON.stringify([config.types, config.visible]) !== JSON.stringify([this.config.types, this.config.visible]);
    this.config = config;
    // Jobs that were read for a replay may no longer be allowed.
    if (state.fence !== this.fence || (isOther && this.due.replay.isUnderWay)) await this.load(state);
    else if (isOther) this.due.first.readAgain();
    this.due.request(requested);
    this.changes.notify();
  }

  noticeEvents(): void {
    this.due.first.noticeEvents();
    this.changes.notify();
  }

  lookAgain(): void {
    this.changes.notify();
  }

  /** @returns whether an attempt has begun. */
  beginOne(): boolean {
    if (!this.mayBegin || this.inFlight.isFull || this.outcomes.isFull) return false;
    const couldRead = this.due.wantsMore;
    const job = this.due.next(this.config);
    if (job !== undefined) this.inFlight.begin(job.eventId, this.attempt(job));
    // Skipped events also make room for further reads.
    if (job !== undefined || couldRead !== this.due.wantsMore) this.changes.notify();
    return job !== undefined;
  }

  /** Begins nothing more. Resolves when all attempts have ended and, if the database responds, are recorded. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.changes.notify();
    await Promise.all(this.loops);
  }

  /** Resolves when no attempt is in progress and all loops wait. */
  async settled(): Promise<void> {
    const isSettled = (): boolean =>
      this.inFlight.size === 0 && this.changes.waiters === this.loops.length && this.pacer.over === undefined;
    while (!this.isClosed && !isSettled()) await (this.inFlight.nextEnd ?? new Promise(setImmediate));
    if (this.isClosed) await Promise.all(this.loops);
  }

  lose(): void {
    this.readAnew();
    this.outcomes.lose();
    this.due.lose();
  }

  private async readLoop(): Promise<void> {
    while (!this.isClosed) {
      const wants = this.mayBegin && this.follows && this.due.wantsMore;
      const inMs = wants ? this.due.readableInMs : Infinity;
      if (inMs > 0) await this.changes.next(inMs);
      else await this.read();
    }
  }

  private async beginLoop(): Promise<void> {
    while (!this.isClosed) {
      if (this.mayBegin) this.pacer.add(this);
      await this.changes.next(this.mayBegin ? this.due.nextInMs : Infinity);
    }
  }

  private async recordLoop(): Promise<void> {
    while (!this.isClosed || this.inFlight.size > 0) {
      const inMs = this.isLoaded ? this.outcomes.dueInMs : Infinity;
      if (inMs > 0) await this.changes.next(inMs);
      else await (this.recording = this.record());
    }
    if (!this.outcomes.isEmpty) await this.record();
  }

  private async read(): Promise<void> {
    const { fence } = this;
    try {
      const isReplayOver = await this.due.read(this.config, () => this.fence !== fence);
      if (isReplayOver) this.outcomes.noticeChange();
    } catch (error) {
      if (!(error instanceof ApiError)) {
        this.dispatch.log.warn(`Could not read events for webhook ${this.id}; retrying: ${String(error)}`);
      }
    }
    this.changes.notify();
  }

  private async attempt(job: Job): Promise<void> {
    try {
      const outcome = this.outcomeOf(job, await this.inFlight.make(job, this.config));
      this.inFlight.end(job.eventId);
      this.settleHealth();
      if (outcome !== undefined) this.outcomes.add(outcome);
    } catch (error) {
      this.dispatch.log.warn(`An attempt for webhook ${this.id} failed unexpectedly; retrying: ${String(error)}`);
      this.due.requested.requestAgain(job);
      this.readAnew();
    } finally {
      this.inFlight.end(job.eventId);
      this.changes.notify();
    }
  }

  private async record(): Promise<void> {
    const recorded = await this.outcomes.record(this.fence);
    if (recorded === 'lost') this.lose();
    if (recorded === 'outdated') this.readAnew();
    if (recorded === 'ended') this.config = { ...this.config, disabled: true };
    this.changes.notify();
  }

  private async load(state: WebhookState): Promise<void> {
    this.isLoaded = false;
    // Outcomes that are being recorded would be missing from the loaded state.
    await this.recording;
    await this.outcomes.load(state.place);
    await this.due.load(state);
    this.health.load(state);
    if (this.settleHealth()) this.outcomes.noticeChange();
    this.fence = state.fence;
    this.isLoaded = true;
  }

  /** Loads the position from the database again in the next round. */
  private readAnew(): void {
    this.isLoaded = false;
    this.fence = -1;
    this.due.first.forgetReads();
  }

  private get mayBegin(): boolean {
    return this.isLoaded && !this.isClosed && this.leases.isHeld(this.id);
  }

  /** Resets the health if nothing waits. @returns whether it was failing. */
  private settleHealth(): boolean {
    const { health, due, inFlight } = this;
    if (!health.isFailing || health.ending !== undefined || due.waiting.size > 0 || inFlight.size > 0) return false;
    health.clear();
    return true;
  }

  /** @returns undefined if no attempt was made; it is retried soon. */
  private outcomeOf(job: Job, result: Attempted): Outcome | undefined {
    if (result === 'later') {
      if (this.due.postpone(job)) this.readAnew();
      return undefined;
    }
    const { dispatch, health } = this;
    const { waiting } = this.due;
    if (result === 'unsendable') {
      // As after a failure, the status is unchanged. A planned retry ends the delivery.
      if (job.reason === 'requested') return { job };
      waiting.giveUp(job.eventId);
      return { job, status: 'failed', nextAttemptAt: null };
    }
    return judgeResult(job, result, { dispatch, health, waiting, isDisabled: this.config.disabled });
  }
}
