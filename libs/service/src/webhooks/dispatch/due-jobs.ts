import { triedBehind, waitingOf, type DueDelivery } from '../deliveries/delivery-rows.js';
import type { WebhookState } from '../definition/webhook-state.js';
import type { Dispatch, RunnerConfig } from './dispatch.js';
import { FirstAttempts } from './first-attempts.js';
import type { Job } from './job.js';
import type { ReceiverHealth } from './receiver-health.js';
import { ReplayProgress } from './replay-progress.js';
import { RequestedAttempts } from './requested-attempts.js';
import { MAX_WAITING, PAUSE_MS } from './schedule.js';
import { WaitingDeliveries } from './waiting-deliveries.js';

export interface AtWork {
  readonly size: number;
  isSending(eventId: string): boolean;
  /** Whether an attempt is in progress, or its outcome is not recorded yet. */
  isUnrecorded(eventId: string): boolean;
}

/** The next jobs of one webhook: requested attempts, due retries, new events in feed order, and replays. */
export class DueJobs {
  readonly first = new FirstAttempts();
  readonly waiting = new WaitingDeliveries();
  readonly requested = new RequestedAttempts();
  readonly replay = new ReplayProgress();
  private readonly isUnrecorded = (eventId: string): boolean => this.atWork.isUnrecorded(eventId);
  private readonly isSending = (eventId: string): boolean => this.atWork.isSending(eventId);
  private readAgainAt = 0;

  constructor(
    private readonly webhookId: string,
    private readonly dispatch: Pick<Dispatch, 'database' | 'events' | 'clock'>,
    private readonly atWork: AtWork,
    private readonly health: ReceiverHealth,
  ) {}

  async load(state: WebhookState): Promise<void> {
    const { database } = this.dispatch;
    const waiting = await waitingOf(database, this.webhookId);
    const tried = await triedBehind(database, this.webhookId, state.place);
    this.waiting.load(waiting, this.isUnrecorded);
    this.first.load(state, tried);
    this.replay.load(state);
  }

  request(requested: readonly DueDelivery[]): void {
    this.requested.update(requested, this.isUnrecorded);
  }

  next({ disabled, visible, secrets }: RunnerConfig): Job | undefined {
    const { atWork, health } = this;
    if (health.ending !== undefined || visible === undefined || secrets.length === 0) return undefined;
    const requested = this.requested.next(disabled, this.isSending);
    if (requested !== undefined) return requested;
    const now = this.dispatch.clock.now();
    if (disabled || health.isHeld(now)) return undefined;
    if (health.isFailing && atWork.size > 0) return undefined;
    return (
      this.waiting.nextRetry(now, this.isUnrecorded) ??
      this.waiting.nextEarly(now, this.isUnrecorded) ??
      (this.isFull ? undefined : (this.first.next(this.isUnrecorded) ?? this.replay.next(this.isUnrecorded)))
    );
  }

  /** Milliseconds until something comes due by the clock; Infinity if nothing does. */
  get nextInMs(): number {
    const now = this.dispatch.clock.now();
    const { holdUntil } = this.health;
    const at = holdUntil !== null && now < holdUntil ? holdUntil : this.waiting.nextAfter(now);
    return at - now;
  }

  get wantsMore(): boolean {
    return !this.isFull && (this.first.wantsMore || this.replay.wantsMore);
  }

  /** Milliseconds until the next read after a failure; 0 for now. */
  get readableInMs(): number {
    return Math.max(this.readAgainAt - this.dispatch.clock.monotonic(), 0);
  }

  /**
   * @returns whether a replay turned out to be complete. @throws errors of the database; the next read is after a
   *   pause.
   */
  async read(config: RunnerConfig, isOutdated: () => boolean): Promise<boolean> {
    try {
      return await this.readNext(config, isOutdated);
    } catch (error) {
      this.readAgainAt = this.dispatch.clock.monotonic() + PAUSE_MS;
      throw error;
    }
  }

  /**
   * Retries soon, because the event could not be read. An early attempt needs nothing: its retry is still due.
   * @returns Whether to load the position again, which reads a first attempt again.
   */
  postpone(job: Job): boolean {
    if (job.reason === 'retry') this.waiting.postpone(job.eventId, this.dispatch.clock.now() + PAUSE_MS);
    else if (job.reason === 'replay') this.replay.postpone(job);
    else if (job.reason === 'requested') this.requested.requestAgain(job);
    return job.reason === 'first';
  }

  lose(): void {
    this.first.lose();
    this.waiting.clear();
    this.requested.lose();
  }

  private async readNext({ types, visible }: RunnerConfig, isOutdated: () => boolean): Promise<boolean> {
    if (visible === undefined) return false;
    const { database, events } = this.dispatch;
    const wantsReplay = this.replay.wantsMore;
    if (this.first.wantsMore) await this.first.read(events, types, visible);
    if (!wantsReplay) return false;
    return this.replay.read({ database, events, webhookId: this.webhookId }, { types, visible }, isOutdated);
  }

  /** Each started event may have to wait for a retry. */
  private get isFull(): boolean {
    return this.waiting.size + this.atWork.size >= MAX_WAITING;
  }
}
