import type { FeedEvent } from '../../feed/event-feed.js';

import type { AttemptResult } from '../sending/attempt.js';
import type { Dispatch, RunnerConfig } from './dispatch.js';
import { eventOf } from './event-of.js';
import type { Job } from './job.js';
import { MAX_AT_ONCE } from './schedule.js';

/** Why no attempt was made: the event must not be sent any more (`unsendable`), or only later. */
export type Attempted = AttemptResult | 'unsendable' | 'later';

export class InFlightAttempts {
  private readonly attempts = new Map<string, Promise<void>>();
  private lookUps: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly webhookId: string,
    private readonly dispatch: Dispatch,
    private readonly isHeld: () => boolean,
  ) {}

  get size(): number {
    return this.attempts.size;
  }

  get isFull(): boolean {
    return this.size >= MAX_AT_ONCE;
  }

  isSending(eventId: string): boolean {
    return this.attempts.has(eventId);
  }

  get nextEnd(): Promise<void> | undefined {
    return this.size === 0 ? undefined : Promise.race(this.attempts.values());
  }

  /** @param work the attempt and its follow-up. */
  begin(eventId: string, work: Promise<void>): void {
    this.attempts.set(eventId, work);
  }

  end(eventId: string): void {
    this.attempts.delete(eventId);
  }

  async make(job: Job, config: RunnerConfig): Promise<Attempted> {
    const { sender, userAgent, clock, inForm = (event: FeedEvent) => event } = this.dispatch;
    const { url, secrets, apiVersion } = config;
    const event = await this.inTurn(() => eventOf(this.dispatch, this.webhookId, job, config));
    if (typeof event === 'string') return event;
    // The lease may have ended during the look-up.
    if (!this.isHeld()) return 'later';
    const now = clock.now();
    return sender.attempt({
      url,
      eventId: job.eventId,
      body: JSON.stringify(inForm(event, apiVersion)),
      apiVersion,
      secrets: secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now).map(({ secret }) => secret),
      userAgent,
      at: new Date(now),
    });
  }

  /** Looks up events sequentially, so that attempts start in order. */
  private inTurn<T>(lookUp: () => Promise<T>): Promise<T> {
    const found = this.lookUps.then(lookUp);
    this.lookUps = found.catch(() => undefined);
    return found;
  }
}
