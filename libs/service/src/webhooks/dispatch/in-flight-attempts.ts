import type { FeedEvent } from '../../feed/event-feed.js';

import type { AttemptResult } from '../sending/attempt.js';
import type { Dispatch, RunnerConfig } from './dispatch.js';
import { eventOf } from './event-of.js';
import type { Job } from './job.js';
import { MAX_AT_ONCE } from './schedule.js';

/** What came of an attempt; or it was not made: the event is not to be sent any more, or it is to be tried later. */
export type Attempted = AttemptResult | 'gone' | 'later';

/** The attempts of one webhook that are under way. */
export class UnderWay {
  private readonly attempts = new Map<string, Promise<void>>();
  private lookUps: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly webhookId: string,
    private readonly dispatch: Dispatch,
    /** Whether this instance still sends. */
    private readonly isHeld: () => boolean,
  ) {}

  get size(): number {
    return this.attempts.size;
  }

  get isFull(): boolean {
    return this.size >= MAX_AT_ONCE;
  }

  /** Whether an attempt for this event is under way. */
  isBusy(eventId: string): boolean {
    return this.attempts.has(eventId);
  }

  /** Resolves when one of them is over; undefined where there is none. */
  get nextEnd(): Promise<void> | undefined {
    return this.size === 0 ? undefined : Promise.race(this.attempts.values());
  }

  /** @param work the attempt and what follows from it. */
  begin(eventId: string, work: Promise<void>): void {
    this.attempts.set(eventId, work);
  }

  end(eventId: string): void {
    this.attempts.delete(eventId);
  }

  /** Finds the event, and sends it. */
  async make(job: Job, config: RunnerConfig): Promise<Attempted> {
    const { sender, userAgent, clock, inForm = (event: FeedEvent) => event } = this.dispatch;
    const { url, secrets, apiVersion } = config;
    const event = await this.inTurn(() => eventOf(this.dispatch, this.webhookId, job, config));
    if (typeof event === 'string') return event;
    // It may have waited for the event, and the lease be over.
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

  /** Looks events up one after the other: attempts start in the order in which they were begun. */
  private inTurn<T>(lookUp: () => Promise<T>): Promise<T> {
    const found = this.lookUps.then(lookUp);
    this.lookUps = found.catch(() => undefined);
    return found;
  }
}
