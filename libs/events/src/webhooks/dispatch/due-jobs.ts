import { triedBehind, waitingOf, type DueDelivery } from '../deliveries/delivery-rows.js';
import type { WebhookState } from '../definition/webhook-state.js';
import { AskedAttempts } from './asked-attempts.js';
import type { Dispatch, RunnerConfig } from './dispatch.js';
import { FirstAttempts } from './first-attempts.js';
import type { Job } from './job.js';
import type { ReceiverHealth } from './receiver-health.js';
import { ReplayProgress } from './replay-progress.js';
import { MAX_WAITING, PAUSE_MS } from './schedule.js';
import type { UnderWay } from './under-way.js';
import { WaitingDeliveries } from './waiting-deliveries.js';

/**
 * Chooses what a webhook is sent next: what somebody has asked for, retries in their time, events as the feed has them, and
 * replays.
 */
export class DueJobs {
  readonly first = new FirstAttempts();
  readonly waiting = new WaitingDeliveries();
  readonly asked = new AskedAttempts();
  readonly replay = new ReplayProgress();
  private readonly isUnderWay = (eventId: string): boolean => this.underWay.has(eventId);
  private readonly isBusy = (eventId: string): boolean => this.underWay.isBusy(eventId);

  constructor(
    private readonly webhookId: string,
    private readonly dispatch: Pick<Dispatch, 'database' | 'events' | 'clock'>,
    private readonly underWay: UnderWay,
    private readonly health: ReceiverHealth,
  ) {}

  /** From what the database says of the webhook. */
  async load(state: WebhookState): Promise<void> {
    const { database } = this.dispatch;
    const waiting = await waitingOf(database, this.webhookId);
    const tried = await triedBehind(database, this.webhookId, state.place);
    this.waiting.load(waiting, this.isUnderWay);
    this.first.load(state, tried);
    this.replay.load(state);
  }

  /** @param asked deliveries for which somebody has asked, as the database has them. */
  ask(asked: readonly DueDelivery[]): void {
    this.asked.update(asked, this.isUnderWay);
  }

  /** @returns undefined where nothing may begin now. */
  next({ disabled, visible, secrets }: RunnerConfig): Job | undefined {
    const { underWay, health } = this;
    if (underWay.isFull || health.ending !== undefined || visible === undefined || secrets.length === 0) {
      return undefined;
    }
    const asked = this.asked.next(disabled, this.isBusy);
    if (asked !== undefined) return asked;
    const now = this.dispatch.clock.now();
    if (disabled || health.isHeld(now)) return undefined;
    if (health.isFailing && underWay.size > 0) return undefined;
    return (
      this.waiting.nextRetry(now, this.isUnderWay) ??
      this.waiting.nextEarly(now, this.isUnderWay) ??
      (this.isFull ? undefined : (this.first.next(this.isUnderWay) ?? this.replay.next(this.isUnderWay)))
    );
  }

  /** Whether more of the feed, or of a replay, is to be read. @param follows whether new events are of interest. */
  get wantsMore(): boolean {
    return !this.isFull && (this.first.wantsMore || this.replay.wantsMore);
  }

  /** @returns whether a replay was found to be over. */
  async read({ types, visible }: RunnerConfig, isOutdated: () => boolean): Promise<boolean> {
    if (visible === undefined) return false;
    const { database, events } = this.dispatch;
    const wantsReplay = this.replay.wantsMore;
    if (this.first.wantsMore) await this.first.read(events, types, visible);
    if (!wantsReplay) return false;
    return this.replay.read({ database, events, webhookId: this.webhookId }, { types, visible }, isOutdated);
  }

  /** It could not be found out what to send: it is tried again soon. @returns whether the place is to be read anew. */
  postpone(job: Job): boolean {
    if (job.reason === 'retry') this.waiting.postpone(job.eventId, this.dispatch.clock.now() + PAUSE_MS);
    else if (job.reason === 'replay') this.replay.postpone(job);
    else this.asked.askAgain(job);
    return job.reason === 'first';
  }

  /** Another instance sends by now. */
  lose(): void {
    this.first.lose();
    this.waiting.clear();
    this.asked.lose();
  }

  /** Each event that is begun may come to wait. */
  private get isFull(): boolean {
    return this.waiting.size + this.underWay.size >= MAX_WAITING;
  }
}
