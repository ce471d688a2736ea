import { ResourceNotFoundError } from '@items/conventions';
import { formatTime } from '../../data/definition/column-codecs.js';
import type { FeedEvent } from '../../feed/event-feed.js';
import { timeOf } from '../../feed/event-id.js';

import { PING } from '../deliveries/delivery-rows.js';
import type { AttemptResult } from '../sending/attempt.js';
import type { Dispatch, RunnerConfig } from './dispatch.js';
import type { Job, Outcome } from './job.js';
import { MAX_CONCURRENT_ATTEMPTS } from './schedule.js';

/** `unsendable`: the event must not be sent any more; `later`: it cannot be sent now. */
export type Unsent = 'unsendable' | 'later';

/** Attempts of one webhook that are in progress or unrecorded. */
export class InFlightAttempts {
  unrecorded: Outcome[] = [];
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
    return this.size >= MAX_CONCURRENT_ATTEMPTS;
  }

  readonly isSending = (eventId: string): boolean => this.attempts.has(eventId);

  readonly isUnrecorded = (eventId: string): boolean =>
    this.isSending(eventId) || this.unrecorded.some(({ job }) => job.eventId === eventId);

  get nextEnd(): Promise<void> | undefined {
    return this.size === 0 ? undefined : Promise.race(this.attempts.values());
  }

  /** @param work the running attempt. The attempt calls `remove` only after an await, and so after this call. */
  add(eventId: string, work: Promise<void>): void {
    this.attempts.set(eventId, work);
  }

  remove(eventId: string): void {
    this.attempts.delete(eventId);
  }

  async send(job: Job, config: RunnerConfig): Promise<AttemptResult | Unsent> {
    const { sender, userAgent, clock, inVersion = (event: FeedEvent) => event } = this.dispatch;
    const { url, secrets, apiVersion } = config;
    const event = await this.lookUpInOrder(() => this.findEvent(job, config));
    if (typeof event === 'string') return event;
    // The lease may have ended during the look-up.
    if (!this.isHeld()) return 'later';
    const now = clock.now();
    return sender.attempt({
      url,
      eventId: job.eventId,
      body: JSON.stringify(inVersion(event, apiVersion)),
      apiVersion,
      secrets: secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now).map(({ secret }) => secret),
      userAgent,
      at: new Date(now),
    });
  }

  /** Runs look-ups sequentially, so that attempts start in order. */
  private lookUpInOrder<T>(lookUp: () => Promise<T>): Promise<T> {
    const found = this.lookUps.then(lookUp);
    this.lookUps = found.catch(() => undefined);
    return found;
  }

  private async findEvent(job: Job, { types, visible, apiVersion }: RunnerConfig): Promise<FeedEvent | Unsent> {
    if (job.reason !== 'requested' && types?.includes(job.type) === false) return 'unsendable';
    if (job.event !== undefined) return job.event;
    if (job.type === PING) return pingOf(job.eventId, this.webhookId, apiVersion);
    if (visible === undefined) return 'later';
    try {
      return await this.dispatch.events.get(job.eventId, visible);
    } catch (error) {
      return error instanceof ResourceNotFoundError ? 'unsendable' : 'later';
    }
  }
}

/** Returns the event of a ping, which is not in the feed. @param id UUIDv7 of the ping. */
function pingOf(id: string, webhookId: string, apiVersion: string): FeedEvent {
  return {
    id,
    type: PING,
    timestamp: formatTime(timeOf(id)),
    api_version: apiVersion,
    data: { object: { id: webhookId } },
  };
}
