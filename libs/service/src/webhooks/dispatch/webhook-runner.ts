import { ApiError } from '@items/conventions';

import type { DueDelivery } from '../deliveries/delivery-rows.js';
import type { WebhookState } from '../definition/webhook-state.js';
import type { AttemptResult } from '../sending/attempt.js';
import { Changes } from './changes.js';
import type { Dispatch, RunnerConfig } from './dispatch.js';
import { DueJobs } from './due-jobs.js';
import type { Job } from './job.js';
import { evaluateResult } from './evaluate-result.js';
import type { Leases } from './leases.js';
import { OutcomeWriter } from './outcome-writer.js';
import type { PacedWebhook, AttemptPacer } from './attempt-pacer.js';
import { InFlightAttempts, type Unsent } from './in-flight-attempts.js';

/**
 * Sends for one webhook while this instance holds its lease. Three loops wait for changes. They read events, begin
 * attempts, and record outcomes. The database stores only the position in the feed and the deliveries, written together in
 * small batches after the attempts. After a crash, attempts in progress are repeated.
 */
export class WebhookRunner implements PacedWebhook {
  private fence = -1;
  private isLoaded = false;
  private isClosed = false;
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
    this.inFlight = new InFlightAttempts(id, dispatch, () => leases.isHeld(id));
    this.due = new DueJobs(id, dispatch, this.inFlight);
    this.outcomes = new OutcomeWriter(id, dispatch, leases.holder, this.inFlight, this.due);
    this.loops = [this.readLoop(), this.beginLoop(), this.recordLoop()];
  }

  get readsFeed(): boolean {
    return !this.isClosed && !this.config.disabled && this.config.visible !== undefined && this.dispatch.events.isOn;
  }

  get isFailing(): boolean {
    return this.due.health.isFailing;
  }

  /** @param requested deliveries of this webhook with a requested attempt. */
  async update(config: RunnerConfig, state: WebhookState, requested: readonly DueDelivery[]): Promise<void> {
    const isFilterChanged =
      JSON.stringify([config.types, config.visible]) !== JSON.stringify([this.config.types, this.config.visible]);
    this.config = config;
    // A new filter may exclude jobs that the replay has already read.
    if (state.fence !== this.fence || (isFilterChanged && this.due.replay.isInProgress)) await this.loadState(state);
    else if (isFilterChanged) this.due.first.rereadUnstarted();
    this.due.updateRequested(requested);
    this.changes.notify();
  }

  onNewEvents(): void {
    this.due.first.onNewEvents();
    this.changes.notify();
  }

  /** Call regularly: jobs become due with time, and the lease may begin or end. */
  recheck(): void {
    this.changes.notify();
  }

  beginOne(): boolean {
    if (!this.mayBegin || this.inFlight.isFull || this.outcomes.isFull) return false;
    const couldRead = this.due.wantsMore;
    const job = this.due.next(this.config);
    if (job !== undefined) this.inFlight.add(job.eventId, this.attempt(job));
    // `next` may also have skipped events. This makes room for further reads.
    if (job !== undefined || couldRead !== this.due.wantsMore) this.changes.notify();
    return job !== undefined;
  }

  /** Begins no more attempts. Waits until all have ended, and records them if the database responds. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.changes.notify();
    await Promise.all(this.loops);
  }

  /** For tests: resolves when no attempt is in progress and all loops wait. */
  async whenIdle(): Promise<void> {
    const isSettled = (): boolean =>
      this.inFlight.size === 0 && this.changes.waiters === this.loops.length && this.pacer.drained === undefined;
    while (!this.isClosed && !isSettled()) await (this.inFlight.nextEnd ?? new Promise(setImmediate));
    if (this.isClosed) await Promise.all(this.loops);
  }

  /** Discards unrecorded outcomes and loaded jobs: another instance sends now, or the webhook was deleted. */
  discardState(): void {
    this.requestReload();
    this.inFlight.unrecorded = [];
    this.due.clear();
  }

  private async readLoop(): Promise<void> {
    while (!this.isClosed) {
      const wants = this.mayBegin && this.readsFeed && this.due.wantsMore;
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
    if (this.inFlight.unrecorded.length > 0) await this.record();
  }

  private async read(): Promise<void> {
    const { fence } = this;
    try {
      const isPartEmpty = await this.due.read(this.config, () => this.fence !== fence);
      if (isPartEmpty) this.outcomes.markProgressStale();
    } catch (error) {
      if (!(error instanceof ApiError)) {
        this.dispatch.log.warn(`Could not read events for webhook ${this.id}; retrying: ${String(error)}`);
      }
    }
    this.changes.notify();
  }

  private async attempt(job: Job): Promise<void> {
    try {
      this.finish(job, await this.inFlight.send(job, this.config));
    } catch (error) {
      this.dispatch.log.warn(`An attempt for webhook ${this.id} failed unexpectedly; retrying: ${String(error)}`);
      this.due.requested.requestAgain(job);
      this.requestReload();
    } finally {
      this.inFlight.remove(job.eventId);
      this.changes.notify();
    }
  }

  private finish(job: Job, result: AttemptResult | Unsent): void {
    const { dispatch, due, inFlight } = this;
    if (result !== 'later') {
      const outcome = evaluateResult(job, result, { dispatch, due, isDisabled: this.config.disabled });
      inFlight.unrecorded.push(outcome);
    } else if (due.postpone(job)) this.requestReload();
    // Remove the attempt already here, because `resetHealthIfIdle` requires that no attempt is in progress.
    inFlight.remove(job.eventId);
    due.resetHealthIfIdle();
  }

  private async record(): Promise<void> {
    const recorded = await this.outcomes.record(this.fence);
    if (recorded === 'lost') this.discardState();
    if (recorded === 'outdated') this.requestReload();
    if (recorded === 'disabled') this.config = { ...this.config, disabled: true };
    this.changes.notify();
  }

  private async loadState(state: WebhookState): Promise<void> {
    this.isLoaded = false;
    // Wait until outcomes are recorded. Otherwise the loaded state would lack them.
    await this.recording;
    await this.outcomes.loadProgress(state.place);
    await this.due.load(state);
    if (this.due.resetHealthIfIdle()) this.outcomes.markProgressStale();
    this.fence = state.fence;
    this.isLoaded = true;
  }

  /** Makes the dispatcher's next round load the state again. */
  private requestReload(): void {
    this.isLoaded = false;
    this.fence = -1;
    this.due.first.dropReadsInProgress();
  }

  private get mayBegin(): boolean {
    return this.isLoaded && !this.isClosed && this.leases.isHeld(this.id);
  }
}
