import { triedAfter, waitingOf, type DueDelivery } from '../deliveries/delivery-rows.js';
import type { WebhookState } from '../definition/webhook-state.js';
import type { Dispatch, RunnerConfig } from './dispatch.js';
import { FirstAttempts } from './first-attempts.js';
import type { InFlightAttempts } from './in-flight-attempts.js';
import type { Job } from './job.js';
import { ReceiverHealth } from './receiver-health.js';
import { ReplayProgress } from './replay-progress.js';
import { RequestedAttempts } from './requested-attempts.js';
import { MAX_WAITING, PAUSE_MS } from './schedule.js';
import { WaitingDeliveries } from './waiting-deliveries.js';

/** Chooses a webhook's next job: requested attempts, due and early retries, new events in feed order, replays. */
export class DueJobs {
  readonly first = new FirstAttempts();
  readonly waiting = new WaitingDeliveries();
  readonly requested = new RequestedAttempts();
  readonly replay: ReplayProgress;
  readonly health: ReceiverHealth;
  private readAgainAt = 0;

  constructor(
    private readonly webhookId: string,
    private readonly dispatch: Pick<Dispatch, 'database' | 'events' | 'clock' | 'policy'>,
    private readonly inFlight: InFlightAttempts,
  ) {
    this.replay = new ReplayProgress(webhookId, dispatch);
    this.health = new ReceiverHealth(dispatch.policy.disableAfterMs);
  }

  /** Loads waiting and attempted deliveries, and continues at the recorded position. */
  async load(state: WebhookState): Promise<void> {
    const { database } = this.dispatch;
    const waiting = await waitingOf(database, this.webhookId);
    const tried = await triedAfter(database, this.webhookId, state.place);
    this.waiting.replaceRecorded(waiting, this.inFlight.isUnrecorded);
    this.first.resumeFrom(state, tried);
    this.replay.resumeFrom(state);
    this.health.restore(state);
  }

  updateRequested(requested: readonly DueDelivery[]): void {
    this.requested.update(requested, this.inFlight.isUnrecorded);
  }

  next({ disabled, visible, secrets }: RunnerConfig): Job | undefined {
    const { health } = this;
    const { isUnrecorded, isSending, size } = this.inFlight;
    if (health.disableReason !== undefined || visible === undefined || secrets.length === 0) return undefined;
    const requested = this.requested.next(disabled, isSending);
    if (requested !== undefined) return requested;
    const now = this.dispatch.clock.now();
    if (disabled || health.isOnHold(now)) return undefined;
    if (health.isFailing && size > 0) return undefined;
    return (
      this.waiting.nextRetry(now, isUnrecorded) ??
      this.waiting.nextEarly(now, isUnrecorded) ??
      (this.isFull ? undefined : (this.first.next(isUnrecorded) ?? this.replay.next(isUnrecorded)))
    );
  }

  /** Milliseconds until a retry, a probe or the end of the receiver's pause; Infinity if none is planned. */
  get nextInMs(): number {
    const now = this.dispatch.clock.now();
    const { holdUntil } = this.health;
    const at = holdUntil !== null && now < holdUntil ? holdUntil : this.waiting.nextAfter(now);
    return at - now;
  }

  get wantsMore(): boolean {
    return !this.isFull && (this.first.wantsMore || this.replay.wantsMore);
  }

  /** Milliseconds that remain of the pause after a failed read; 0: read now. */
  get readableInMs(): number {
    return Math.max(this.readAgainAt - this.dispatch.clock.monotonic(), 0);
  }

  /**
   * @returns true after reading a part of a replay without events to send.
   * @throws database errors, after which reads pause.
   */
  async read({ types, visible }: RunnerConfig, isOutdated: () => boolean): Promise<boolean> {
    if (visible === undefined) return false;
    const wantsReplay = this.replay.wantsMore;
    try {
      if (this.first.wantsMore) await this.first.read(this.dispatch.events, types, visible);
      return wantsReplay && (await this.replay.read({ types, visible }, isOutdated));
    } catch (error) {
      this.readAgainAt = this.dispatch.clock.monotonic() + PAUSE_MS;
      throw error;
    }
  }

  /**
   * Postpones a job that cannot be sent now. Drops a job with reason `early`, because its delivery still has a planned
   * retry.
   * @returns true for a first attempt. To repeat it, the caller must load the state again.
   */
  postpone(job: Job): boolean {
    if (job.reason === 'retry') this.waiting.postpone(job.eventId, this.dispatch.clock.now() + PAUSE_MS);
    else if (job.reason === 'replay') this.replay.postpone(job);
    else if (job.reason === 'requested') this.requested.requestAgain(job);
    return job.reason === 'first';
  }

  /** @returns whether the health was reset. */
  resetHealthIfIdle(): boolean {
    const { health, waiting, inFlight } = this;
    if (!health.isFailing || health.disableReason !== undefined || waiting.size > 0 || inFlight.size > 0) return false;
    health.reset();
    return true;
  }

  /** Call after the loss of the lease. */
  clear(): void {
    this.first.forgetStarted();
    this.waiting.clear();
    this.requested.forgetUnconfirmed();
  }

  /** Counts attempts in progress too, because each may need a retry. */
  private get isFull(): boolean {
    return this.waiting.size + this.inFlight.size >= MAX_WAITING;
  }
}
