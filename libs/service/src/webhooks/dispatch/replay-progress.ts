import { deliveriesOf, failedBetween } from '../deliveries/delivery-rows.js';
import { replayOf, type Replay } from '../definition/replays.js';
import type { WebhookState } from '../definition/webhook-state.js';
import type { Dispatch, WantedEvents } from './dispatch.js';
import { lowestPending } from './first-attempts.js';
import type { Job } from './job.js';
import { PAGE } from './schedule.js';

/** Reads the events of a replay page by page, and tracks its progress. */
export class ReplayProgress {
  private replay: Replay | undefined;
  private queue: Job[] = [];
  /** Events that were read but not recorded, each with the position before it. */
  private readonly unrecorded = new Map<string, string>();

  constructor(
    private readonly webhookId: string,
    private readonly dispatch: Pick<Dispatch, 'database' | 'events'>,
  ) {}

  resumeFrom(state: WebhookState): void {
    this.queue = [];
    this.unrecorded.clear();
    this.replay = replayOf(state);
  }

  get isInProgress(): boolean {
    return this.replay !== undefined;
  }

  get wantsMore(): boolean {
    return this.replay !== undefined && this.unrecorded.size === 0;
  }

  /**
   * Reads the next part in feed order.
   * @param isOutdated whether the state was loaded again during the read.
   * @returns true for a part without events to send.
   */
  async read(wanted: WantedEvents, isOutdated: () => boolean): Promise<boolean> {
    const { replay } = this;
    if (replay === undefined) return false;
    const { after, to, only } = replay;
    // Failed deliveries are filtered by type and rights just before they are sent.
    const { jobs, end } = await (only === 'failed' ? this.failed(replay) : this.found(replay, wanted));
    if (this.replay !== replay || isOutdated()) return false;
    let before = after;
    for (const { eventId } of jobs) {
      this.unrecorded.set(eventId, before);
      before = eventId;
    }
    this.queue.push(...jobs);
    this.replay = end < to ? { ...replay, after: end } : jobs.length > 0 ? { ...replay, after: to } : undefined;
    return jobs.length === 0;
  }

  next(isUnrecorded: (eventId: string) => boolean): Job | undefined {
    const index = this.queue.findIndex(({ eventId }) => !isUnrecorded(eventId));
    const [job] = index === -1 ? [] : this.queue.splice(index, 1);
    return job;
  }

  postpone(job: Job): void {
    this.queue.push(job);
  }

  /**
   * Returns the position up to which all events are sent; null if the replay is complete.
   * @param done events that this transaction records.
   */
  after(done: ReadonlySet<string>): string | null {
    if (this.replay === undefined) return null;
    const after = lowestPending(this.unrecorded, done) ?? this.replay.after;
    return after === this.replay.to ? null : after;
  }

  markRecorded(eventId: string): void {
    this.unrecorded.delete(eventId);
  }

  endIfRecorded(): void {
    if (this.unrecorded.size === 0 && this.replay?.after === this.replay?.to) this.replay = undefined;
  }

  private async failed({ after, to }: Replay): Promise<Part> {
    const failed = await failedBetween(this.dispatch.database, this.webhookId, { after, upTo: to, limit: PAGE });
    const jobs = failed.map(({ id, event_id: eventId, type }): Job => ({
      reason: 'replay',
      eventId,
      type,
      deliveryId: id,
      tries: 0,
    }));
    return { jobs, end: jobs.length === PAGE ? (jobs.at(-1)?.eventId ?? to) : to };
  }

  private async found({ after, to }: Replay, { types, visible }: WantedEvents): Promise<Part> {
    const { events, end, more } = await this.dispatch.events.segment(after, types, visible, PAGE);
    const found = events.filter(({ id }) => id <= to);
    const ids = found.map(({ id }) => id);
    const known = await deliveriesOf(this.dispatch.database, this.webhookId, ids);
    const jobs = found.map((event): Job => {
      const { id, type } = event;
      return { reason: 'replay', eventId: id, type, event, deliveryId: known.get(id)?.id, tries: 0 };
    });
    return { jobs, end: more && end < to ? end : to };
  }
}

interface Part {
  readonly jobs: readonly Job[];
  /** Position up to which the part was read. */
  readonly end: string;
}
