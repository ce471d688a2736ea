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
import { Records } from './records.js';
import type { TurnTaker, Turns } from './turns.js';
import { UnderWay, type Attempted } from './under-way.js';

/**
 * Sends for one webhook, while this instance holds its lease. Three loops wait for a change: one reads due jobs, one begins
 * them, one records what has become of them. All is in memory but for the position in the feed and the deliveries; both are
 * written together, a few at a time, when attempts are over. What was under way when the process ended is sent once more.
 */
export class WebhookRunner implements TurnTaker {
  private fence = -1;
  private isLoaded = false;
  private isClosed = false;
  private readonly health: ReceiverHealth;
  private readonly due: DueJobs;
  private readonly underWay: UnderWay;
  private readonly records: Records;
  private readonly changes = new Changes();
  private readonly loops: readonly Promise<void>[];
  private recording: Promise<void> = Promise.resolve();

  constructor(
    private readonly id: string,
    private readonly dispatch: Dispatch,
    private readonly leases: Pick<Leases, 'holder' | 'isHeld'>,
    /** Those of all webhooks of this instance. */
    private readonly turns: Turns,
    private config: RunnerConfig,
  ) {
    const underWay = new UnderWay(id, dispatch, () => leases.isHeld(id));
    const health = new ReceiverHealth(dispatch.policy.disableAfterMs);
    const atWork = {
      get size() {
        return underWay.size;
      },
      isBusy: (eventId: string) => underWay.isBusy(eventId),
      has: (eventId: string) => underWay.isBusy(eventId) || this.records.isWaiting(eventId),
    };
    const due = new DueJobs(id, dispatch, atWork, health);
    this.records = new Records(id, dispatch, leases.holder, { underWay, due, health });
    [this.underWay, this.health, this.due] = [underWay, health, due];
    this.loops = [this.readLoop(), this.beginLoop(), this.recordLoop()];
  }

  /** Whether new events are of interest. */
  get follows(): boolean {
    return !this.isClosed && !this.config.disabled && this.config.visible !== undefined && this.dispatch.events.isOn;
  }

  /** Whether its receiver fails. */
  get isFailing(): boolean {
    return this.health.isFailing;
  }

  /** What the database says now. @param requested deliveries of this webhook that somebody has requested. */
  async update(config: RunnerConfig, state: WebhookState, requested: readonly DueDelivery[]): Promise<void> {
    const isOther =
      JSON.stringify([config.types, config.visible]) !== JSON.stringify([this.config.types, this.config.visible]);
    this.config = config;
    // What was read for a replay may be what is no longer to be sent.
    if (state.fence !== this.fence || (isOther && this.due.replay.isUnderWay)) await this.load(state);
    else if (isOther) this.due.first.readAgain();
    this.due.request(requested);
    this.changes.notify();
  }

  /** There may be new events. */
  noticeEvents(): void {
    this.due.first.noticeEvents();
    this.changes.notify();
  }

  /** Time has passed. */
  lookAgain(): void {
    this.changes.notify();
  }

  /** Begins an attempt, if there is one to begin now. @returns whether it has. */
  beginOne(): boolean {
    if (!this.mayBegin || this.underWay.isFull || this.records.isFull) return false;
    const couldRead = this.due.wantsMore;
    const job = this.due.next(this.config);
    if (job !== undefined) this.underWay.begin(job.eventId, this.attempt(job));
    // Also what was passed over leaves room for more.
    if (job !== undefined || couldRead !== this.due.wantsMore) this.changes.notify();
    return job !== undefined;
  }

  /** Begins nothing more. @returns when all is over and recorded, as far as the database answers. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.changes.notify();
    await Promise.all(this.loops);
  }

  /** Resolves when nothing is under way, and all loops wait. */
  async settled(): Promise<void> {
    const isSettled = (): boolean =>
      this.underWay.size === 0 && this.changes.waiters === this.loops.length && this.turns.over === undefined;
    while (!this.isClosed && !isSettled()) await (this.underWay.nextEnd ?? new Promise(setImmediate));
    if (this.isClosed) await Promise.all(this.loops);
  }

  /** Another instance sends by now. */
  lose(): void {
    this.readAnew();
    this.records.lose();
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
      if (this.mayBegin) this.turns.add(this);
      await this.changes.next(this.mayBegin ? this.due.nextInMs : Infinity);
    }
  }

  private async recordLoop(): Promise<void> {
    while (!this.isClosed || this.underWay.size > 0) {
      const inMs = this.isLoaded ? this.records.dueInMs : Infinity;
      if (inMs > 0) await this.changes.next(inMs);
      else await (this.recording = this.record());
    }
    if (!this.records.isEmpty) await this.record();
  }

  private async read(): Promise<void> {
    const { fence } = this;
    try {
      const isReplayOver = await this.due.read(this.config, () => this.fence !== fence);
      if (isReplayOver) this.records.noticeChange();
    } catch (error) {
      if (!(error instanceof ApiError)) {
        this.dispatch.log.warn(`Events for webhook ${this.id} were not read; this will be retried: ${String(error)}`);
      }
    }
    this.changes.notify();
  }

  private async attempt(job: Job): Promise<void> {
    try {
      const outcome = this.outcomeOf(job, await this.underWay.make(job, this.config));
      this.underWay.end(job.eventId);
      this.settleHealth();
      if (outcome !== undefined) this.records.add(outcome);
    } catch (error) {
      this.dispatch.log.warn(`An attempt for webhook ${this.id} broke off: ${String(error)}`);
      this.due.requested.requestAgain(job);
      this.readAnew();
    } finally {
      this.underWay.end(job.eventId);
      this.changes.notify();
    }
  }

  private async record(): Promise<void> {
    const recorded = await this.records.record(this.fence);
    if (recorded === 'lost') this.lose();
    if (recorded === 'outdated') this.readAnew();
    if (recorded === 'ended') this.config = { ...this.config, disabled: true };
    this.changes.notify();
  }

  private async load(state: WebhookState): Promise<void> {
    this.isLoaded = false;
    // What is being recorded would be missing from what is read.
    await this.recording;
    await this.records.load(state.place);
    await this.due.load(state);
    this.health.load(state);
    if (this.settleHealth()) this.records.noticeChange();
    this.fence = state.fence;
    this.isLoaded = true;
  }

  /** The position is read from the database again, with the next look at the leases. */
  private readAnew(): void {
    this.isLoaded = false;
    this.fence = -1;
    this.due.first.forgetReads();
  }

  private get mayBegin(): boolean {
    return this.isLoaded && !this.isClosed && this.leases.isHeld(this.id);
  }

  /** A receiver for which nothing waits does not fail. @returns whether it was taken for failing. */
  private settleHealth(): boolean {
    const { health, due, underWay } = this;
    if (!health.isFailing || health.ending !== undefined || due.waiting.size > 0 || underWay.size > 0) return false;
    health.clear();
    return true;
  }

  /** @returns undefined where no attempt was made: it is tried again soon. */
  private outcomeOf(job: Job, result: Attempted): Outcome | undefined {
    if (result === 'later') {
      if (this.due.postpone(job)) this.readAnew();
      return undefined;
    }
    const { dispatch, health } = this;
    const { waiting } = this.due;
    if (result === 'gone') {
      waiting.giveUp(job.eventId);
      return { job, status: 'failed', nextAttemptAt: null };
    }
    return judgeResult(job, result, { dispatch, health, waiting, isDisabled: this.config.disabled });
  }
}
