import { ResourceNotFoundError } from '@items/conventions';
import type { FeedEvent } from '../../event-feed.js';
import type { Visibility } from '../../visibility.js';

import { PING } from '../deliveries/delivery-rows.js';
import type { AttemptResult } from '../sending/attempt.js';
import type { Dispatch, RunnerConfig } from './dispatch.js';
import type { Job } from './job.js';
import { pingOf } from './ping.js';

/** What came of an attempt; or it was not made: the event is not to be sent any more, or it is to be tried later. */
export type Attempted = AttemptResult | 'gone' | 'later';

/** Makes the attempts of one webhook: finds the event, and sends it. */
export class EventAttempts {
  private lookUps = Promise.resolve();

  constructor(
    private readonly webhookId: string,
    private readonly dispatch: Dispatch,
    /** Whether this instance still sends. */
    private readonly isHeld: () => boolean,
  ) {}

  async make(job: Job, config: RunnerConfig): Promise<Attempted> {
    const { sender, userAgent, clock, inForm = (event: FeedEvent) => event } = this.dispatch;
    const { url, secrets, apiVersion } = config;
    const event = await this.inTurn(() => this.eventOf(job, config));
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
    this.lookUps = found.then(NOTHING, NOTHING);
    return found;
  }

  private async eventOf(job: Job, { types, visible, apiVersion }: RunnerConfig): Promise<FeedEvent | 'gone' | 'later'> {
    if (job.reason !== 'asked' && types?.includes(job.type) === false) return 'gone';
    if (job.event !== undefined) return job.event;
    if (job.type === PING) return pingOf(job.eventId, this.webhookId, apiVersion);
    return visible === undefined ? 'later' : this.found(job.eventId, visible);
  }

  private async found(eventId: string, visible: Visibility): Promise<FeedEvent | 'gone' | 'later'> {
    try {
      return await this.dispatch.events.get(eventId, visible);
    } catch (error) {
      return error instanceof ResourceNotFoundError ? 'gone' : 'later';
    }
  }
}

const NOTHING = (): void => undefined;
