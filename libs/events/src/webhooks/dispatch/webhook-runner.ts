import { ApiError } from '@items/conventions';

import type { DueDelivery } from '../deliveries/delivery-rows.js';
import type { WebhookState } from '../definition/webhook-state.js';
import type { Dispatch, RunnerConfig } from './dispatch.js';
import { DueJobs } from './due-jobs.js';
import { EventAttempts, type Attempted } from './event-attempts.js';
import type { Job, Outcome } from './job.js';
import { judgeResult } from './judge-result.js';
import type { Leases } from './leases.js';
import { OutcomeWriter } from './outcome-writer.js';
import { ReceiverHealth } from './receiver-health.js';
import { PAUSE_MS } from './schedule.js';
import type { Asking, Turns } from './turns.js';
import { UnderWay } from './under-way.js';

/**
 * Sends for one webhook, while this instance holds its lease: begins what is due, and has what became of it written. All is
 * in memory but for the place in the feed and the deliveries; both are written together, a few at a time, when attempts are
 * over. What was under way when the process ended is sent once more.
 */
export class WebhookRunner implements Asking {
  private config: RunnerConfig;
  private fence = -1;
  private isLoaded = false;
  private isClosed = false;
  private readonly underWay = new UnderWay();
  private readonly health: ReceiverHealth;
  private readonly due: DueJobs;
  private readonly attempts: EventAttempts;
  private readonly writer: OutcomeWriter;
  private readonly working = new Set<Promise<void>>();
  private reading: Promise<void> | undefined;
  private readAgainAt = 0;
  private writing: Promise<void> | undefined;

  constructor(
    private readonly id: string,
    private readonly dispatch: Dispatch,
    private readonly leases: Pick<Leases, 'holder' | 'isHeld'>,
    /** Those of all webhooks of this instance. */
    private readonly turns: Turns,
    config: RunnerConfig,
  ) {
    this.config = config;
    const { underWay } = this;
    const health = new ReceiverHealth(dispatch.policy.disableAfterMs);
    const due = new DueJobs(id, dispatch, underWay, health);
    this.health = health;
    this.due = due;
    this.attempts = new EventAttempts(id, dispatch, () => leases.isHeld(id));
    this.writer = new OutcomeWriter(id, dispatch, leases.holder, { underWay, due, health });
  }

  /** Whether new events are of interest. */
  get follows(): boolean {
    return !this.isClosed && !this.config.disabled && this.config.visible !== undefined && this.dispatch.events.isOn;
  }

  /** What the database says now. @param asked deliveries of this webhook for which somebody has asked. */
  async update(config: RunnerConfig, state: WebhookState, asked: readonly DueDelivery[]): Promise<void> {
    const isOther =
      JSON.stringify([config.types, config.visible]) !== JSON.stringify([this.config.types, this.config.visible]);
    this.config = config;
    // What was read for a replay may be what is no longer to be sent.
    if (state.fence !== this.fence || (isOther && this.due.replay.isUnderWay)) await this.load(state);
    else if (isOther) this.due.first.readAgain();
    this.due.ask(asked);
    this.pump();
  }

  /** There may be new events. */
  noticeEvents(): void {
    this.due.first.noticeEvents();
    this.pump();
  }

  /** Begins what may begin now; to be called now and then. */
  pump(): void {
    if (!this.mayBegin) return;
    this.turns.ask(this);
    this.readOn();
    this.write();
  }

  /** Whether its receiver fails. */
  get isFailing(): boolean {
    return this.health.isFailing;
  }

  /** Begins an attempt, if there is one to begin now. @returns whether it has. */
  beginOne(): boolean {
    const job = this.mayBegin ? this.due.next(this.config) : undefined;
    if (job !== undefined) this.begin(job);
    else if (this.mayBegin) this.readOn();
    return job !== undefined;
  }

  /** Begins nothing more. */
  close(): void {
    this.isClosed = true;
  }

  /** Resolves when nothing is under way and all is written, as far as the database answers. */
  async settled(): Promise<void> {
    for (;;) {
      const works = [...this.working, this.reading, this.writing, this.turns.over].filter((work) => work !== undefined);
      if (works.length === 0) break;
      await Promise.race(works);
      await this.writing;
    }
    if (this.isClosed && this.underWay.outcomes.length > 0) await this.flush();
  }

  /** Another instance sends by now. */
  lose(): void {
    this.readAnew();
    this.underWay.forgetOutcomes();
    this.due.lose();
  }

  private async load(state: WebhookState): Promise<void> {
    this.isLoaded = false;
    await this.writer.load(state.place);
    await this.due.load(state);
    this.health.load(state);
    if (this.settleHealth()) this.writer.noticeChange();
    this.fence = state.fence;
    this.isLoaded = true;
  }

  /** The place is read from the database again, with the next look at the leases. */
  private readAnew(): void {
    this.isLoaded = false;
    this.fence = -1;
    this.due.first.forgetReads();
  }

  private get mayBegin(): boolean {
    return this.isLoaded && !this.isClosed && this.leases.isHeld(this.id);
  }

  private begin(job: Job): void {
    this.underWay.begin(job.eventId);
    const work = this.attempts
      .make(job, this.config)
      .then((result) => {
        const outcome = this.outcomeOf(job, result);
        this.underWay.end(job.eventId);
        this.settleHealth();
        if (outcome !== undefined) this.underWay.add(outcome);
      })
      .catch((error: unknown) => {
        this.dispatch.log.warn(`An attempt for webhook ${this.id} broke off: ${String(error)}`);
        this.due.asked.askAgain(job);
        this.readAnew();
      })
      .finally(() => {
        this.underWay.end(job.eventId);
        this.working.delete(work);
        this.write();
        this.pump();
      });
    this.working.add(work);
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

  private readOn(): void {
    const { clock, log } = this.dispatch;
    if (this.reading !== undefined || !this.follows || clock.monotonic() < this.readAgainAt || !this.due.wantsMore)
      return;
    const { fence } = this;
    this.reading = this.due
      .read(this.config, () => this.fence !== fence)
      .then((isReplayOver) => {
        if (isReplayOver) this.writer.noticeChange();
      })
      .catch((error: unknown) => {
        this.readAgainAt = clock.monotonic() + PAUSE_MS;
        if (!(error instanceof ApiError)) log.warn(`Events for webhook ${this.id} are read later: ${String(error)}`);
      })
      .finally(() => {
        this.reading = undefined;
        this.pump();
      });
  }

  /** Writes what there is to write, one transaction at a time. */
  private write(): void {
    if (this.writing !== undefined || !this.isLoaded || !this.writer.isDue) return;
    this.writing = this.flush().finally(() => {
      this.writing = undefined;
      this.pump();
    });
  }

  private async flush(): Promise<void> {
    const written = await this.writer.write(this.fence);
    if (written === 'lost') this.lose();
    if (written === 'outdated') this.readAnew();
    if (written === 'ended') this.config = { ...this.config, disabled: true };
  }
}
