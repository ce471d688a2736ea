import type { FeedEvent } from '../../feed/event-feed.js';
import type { Visibility } from '../../feed/visibility.js';

import type { WebhookState } from '../definition/webhook-state.js';
import type { Dispatch } from './dispatch.js';
import type { Job } from './job.js';
import { MAX_CONCURRENT_ATTEMPTS, PAGE } from './schedule.js';

/** Reads the feed page by page, and tracks the webhook's progress. */
export class FirstAttempts {
  begun: string | null = null;
  /** Events that were read and not started. */
  private queue: FeedEvent[] = [];
  private readTo = '';
  private reached = '';
  private mayHaveMore = true;
  /** Incremented when position or filter change: results of older reads are dropped. */
  private reads = 0;
  /** Started events in feed order that are not recorded, each with the position before it. */
  private readonly open = new Map<string, string>();
  private tried = new Set<string>();

  /** @param tried events after the position that already have a delivery. */
  load({ place: position, begun }: WebhookState, tried: Set<string>): void {
    this.open.clear();
    this.tried = tried;
    this.begun = begun;
    this.readFrom(position);
  }

  /** Call after a change of the filter. */
  readAgain(): void {
    this.readFrom(this.reached);
  }

  forgetReads(): void {
    this.reads += 1;
  }

  noticeEvents(): void {
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
      // Position or filter have changed meanwhile.
      if (this.reads !== reads) return;
      this.queue.push(...found);
      this.readTo = end;
      if (more) this.mayHaveMore = true;
    } catch (error) {
      this.mayHaveMore = true;
      throw error;
    }
  }

  /** @param isUnrecorded checks for an attempt that began before the position was loaded again. */
  next(isUnrecorded: (eventId: string) => boolean): Job | undefined {
    for (let event = this.queue.shift(); event !== undefined; event = this.queue.shift()) {
      const before = this.reached;
      this.reached = event.id;
      if (this.tried.delete(event.id)) continue;
      this.open.set(event.id, before);
      if (isUnrecorded(event.id)) continue;
      this.begun = event.id;
      return { reason: 'first', eventId: event.id, type: event.type, event, tries: 0 };
    }
    this.reached = this.readTo;
    return undefined;
  }

  /** Returns the position up to which all events are done. @param done events that count as recorded. */
  position(done: ReadonlySet<string> = new Set()): string {
    return lowestPending(this.open, done) ?? (this.queue.length > 0 ? this.reached : this.readTo);
  }

  get unwritten(): Iterable<string> {
    return this.open.keys();
  }

  /** The event may come again if the position was loaded during its attempt. */
  written(eventId: string): void {
    if (!this.open.delete(eventId) && eventId > this.reached) this.tried.add(eventId);
  }

  lose(): void {
    this.open.clear();
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
 * @param open events, each with the position before it.
 */
export function lowestPending(open: ReadonlyMap<string, string>, done: ReadonlySet<string>): string | undefined {
  const [first] = [...open].flatMap(([id, before]) => (done.has(id) ? [] : [before])).sort();
  return first;
}
