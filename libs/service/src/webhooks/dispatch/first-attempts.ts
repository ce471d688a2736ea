import type { FeedEvent } from '../../feed/event-feed.js';
import type { Visibility } from '../../feed/visibility.js';

import type { WebhookState } from '../definition/webhook-state.js';
import type { Dispatch } from './dispatch.js';
import { firstLeft, NONE } from './first-left.js';
import type { Job } from './job.js';
import { MAX_AT_ONCE, PAGE } from './schedule.js';

/** What follows the webhook's place in the feed, page by page, and how far it has come. */
export class FirstAttempts {
  /** The last event that was begun; null before the first. */
  begun: string | null = null;
  /** Read from the feed, and not begun. */
  private queue: FeedEvent[] = [];
  private readTo = '';
  private reached = '';
  private mayHaveMore = true;
  /** Changes with the place, or with what is read: what was asked for before is not taken. */
  private reads = 0;
  /** Begun in the order of the feed and not written, each with the place before it. */
  private readonly open = new Map<string, string>();
  private tried = new Set<string>();

  /** @param tried events behind the place that have a delivery already. */
  load({ place, begun }: WebhookState, tried: Set<string>): void {
    this.open.clear();
    this.tried = tried;
    this.begun = begun;
    this.readFrom(place);
  }

  /** What is read is other than it was. */
  readAgain(): void {
    this.readFrom(this.reached);
  }

  /** What is being read is not taken. */
  forgetReads(): void {
    this.reads += 1;
  }

  /** There may be new events. */
  noticeEvents(): void {
    this.mayHaveMore = true;
  }

  get wantsMore(): boolean {
    return this.mayHaveMore && this.queue.length < MAX_AT_ONCE;
  }

  async read(events: Dispatch['events'], types: readonly string[] | undefined, visible: Visibility): Promise<void> {
    this.mayHaveMore = false;
    const { readTo, reads } = this;
    try {
      const { events: found, end, more } = await events.segment(readTo, types, visible, PAGE);
      // The webhook may have become another one meanwhile.
      if (this.reads !== reads) return;
      this.queue.push(...found);
      this.readTo = end;
      if (more) this.mayHaveMore = true;
    } catch (error) {
      this.mayHaveMore = true;
      throw error;
    }
  }

  /** @param isUnderWay begun before the place was read anew. */
  next(isUnderWay: (eventId: string) => boolean): Job | undefined {
    for (let event = this.queue.shift(); event !== undefined; event = this.queue.shift()) {
      const before = this.reached;
      this.reached = event.id;
      if (this.tried.delete(event.id)) continue;
      this.open.set(event.id, before);
      if (isUnderWay(event.id)) continue;
      this.begun = event.id;
      return { reason: 'first', eventId: event.id, type: event.type, event, tries: 0 };
    }
    this.reached = this.readTo;
    return undefined;
  }

  /** All events up to it are done with. @param done events that are counted as written. */
  place(done: ReadonlySet<string> = NONE): string {
    return firstLeft(this.open, done) ?? (this.queue.length > 0 ? this.reached : this.readTo);
  }

  /** Events that are begun and not written. */
  get unwritten(): Iterable<string> {
    return this.open.keys();
  }

  /** Its delivery is written: perhaps of an attempt that was under way when the place was read anew, before it comes again. */
  written(eventId: string): void {
    if (!this.open.delete(eventId) && eventId > this.reached) this.tried.add(eventId);
  }

  /** Another instance sends by now. */
  lose(): void {
    this.open.clear();
  }

  private readFrom(place: string): void {
    this.queue = [];
    this.readTo = place;
    this.reached = place;
    this.reads += 1;
    this.mayHaveMore = true;
  }
}
