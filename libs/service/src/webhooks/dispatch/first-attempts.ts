import type { FeedEvent } from '../../feed/event-feed.js';
import type { Visibility } from '../../feed/visibility.js';

import type { WebhookState } from '../definition/webhook-state.js';
import type { Dispatch } from './dispatch.js';
import type { Job } from './job.js';
import { MAX_CONCURRENT_ATTEMPTS, PAGE } from './schedule.js';

/** Reads the feed page by page, and tracks the webhook's progress. */
export class FirstAttempts {
  begun: string | null = null;
  /** Events that were read, but have no attempt yet. */
  private queue: FeedEvent[] = [];
  private readTo = '';
  private reached = '';
  private mayHaveMore = true;
  /** Incremented when the position or filter changes, to drop results of older reads. */
  private reads = 0;
  /** Events with an unrecorded attempt, in feed order, each with the position before it. */
  private readonly started = new Map<string, string>();
  private tried = new Set<string>();

  /** Continues at the recorded position. @param tried later events that already have a delivery. */
  resumeFrom({ place: position, begun }: WebhookState, tried: Set<string>): void {
    this.started.clear();
    this.tried = tried;
    this.begun = begun;
    this.readFrom(position);
  }

  /** Call after a change of the filter. */
  rereadUnstarted(): void {
    this.readFrom(this.reached);
  }

  dropReadsInProgress(): void {
    this.reads += 1;
  }

  onNewEvents(): void {
    this.mayHaveMore = true;
  }

  get wantsMore(): boolean {
    return this.mayHaveMore && this.queue.length < MAX_CONCURRENT_ATTEMPTS;
  }

  async read(events: Dispatch['events'], types: readonly string[] | undefined, visible: Visibility): Promise<void> {
    this.mayHaveMore = false;
    const { readTo, reads } = this;
    try {
      const { events: found, end, more } = await events.segment(readTo, types, visible, PAGE);
      // Discard the events: the position or filter has changed during the read.
      if (this.reads !== reads) return;
      this.queue.push(...found);
      this.readTo = end;
      if (more) this.mayHaveMore = true;
    } catch (error) {
      this.mayHaveMore = true;
      throw error;
    }
  }

  /** @param isUnrecorded true for an event with an unrecorded attempt from before the state was loaded again. */
  next(isUnrecorded: (eventId: string) => boolean): Job | undefined {
    for (let event = this.queue.shift(); event !== undefined; event = this.queue.shift()) {
      const before = this.reached;
      this.reached = event.id;
      if (this.tried.delete(event.id)) continue;
      this.started.set(event.id, before);
      if (isUnrecorded(event.id)) continue;
      this.begun = event.id;
      return { reason: 'first', eventId: event.id, type: event.type, event, tries: 0 };
    }
    this.reached = this.readTo;
    return undefined;
  }

  /** Returns the position up to which all events are done. @param done events that this transaction records. */
  position(done: ReadonlySet<string> = new Set()): string {
    return lowestPending(this.started, done) ?? (this.queue.length > 0 ? this.reached : this.readTo);
  }

  get unrecorded(): Iterable<string> {
    return this.started.keys();
  }

  /** After a reload during the attempt, the event is read again: `next` must skip it. */
  markRecorded(eventId: string): void {
    if (!this.started.delete(eventId) && eventId > this.reached) this.tried.add(eventId);
  }

  /** Call after the loss of the lease: the new holder attempts unrecorded events again. */
  forgetStarted(): void {
    this.started.clear();
  }

  private readFrom(position: string): void {
    this.queue = [];
    this.readTo = position;
    this.reached = position;
    this.reads += 1;
    this.mayHaveMore = true;
  }
}

/**
 * Returns the position before the first pending event; undefined if none is pending.
 * @param pending events, each with the position before it.
 */
export function lowestPending(pending: ReadonlyMap<string, string>, done: ReadonlySet<string>): string | undefined {
  const [first] = [...pending].flatMap(([id, before]) => (done.has(id) ? [] : [before])).sort();
  return first;
}
