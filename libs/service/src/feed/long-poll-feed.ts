import type { CursorPolicy } from '../data/lists/cursors.js';
import type { Database } from '../data/database/database.js';

import { EventFeed, type EventsRequest, type FeedPage, type FeedSource } from './event-feed.js';
import { FeedWatch } from './feed-watch.js';
import type { Visibility } from './visibility.js';

export interface WaitOptions {
  readonly waitMs: number;
  /** Any of these signals ends the wait. They may outlive the request. */
  readonly signals: readonly AbortSignal[];
  /**
   * Called each time the reader starts to wait.
   * @returns A function that is called when the wait ends.
   */
  readonly onWait?: () => () => void;
}

type ReadVisibility = () => Visibility | Promise<Visibility>;

/** A feed whose readers may wait for the next entry. */
export class LongPollFeed<Name extends string, Member extends { readonly id: string }> extends EventFeed<Name, Member> {
  readonly watch: FeedWatch;

  constructor(database: Database, source: FeedSource<Name, Member>, policy: CursorPolicy, keptMs: number) {
    super(database, source, policy, keptMs);
    this.watch = new FeedWatch(this.clock, database, source.table);
  }

  /**
   * Returns a page of the feed. Waits while the page would be empty.
   * @param visibility Called again before each read.
   * @throws as {@link page}
   */
  async pageOrWait(
    request: EventsRequest,
    visibility: ReadVisibility,
    waiting?: WaitOptions,
  ): Promise<FeedPage<Name, Member>> {
    const visible = await visibility();
    const page = await this.page(request, visible);
    const isLast = !page.isEmpty || request.cursor !== undefined || request.descending;
    return waiting === undefined || isLast ? page : this.waitForPage(request, visibility, waiting, { page, visible });
  }

  private async waitForPage(
    request: EventsRequest,
    visibility: ReadVisibility,
    { waitMs, signals, onWait }: WaitOptions,
    empty: { readonly page: FeedPage<Name, Member>; readonly visible: Visibility },
  ): Promise<FeedPage<Name, Member>> {
    // Does not use `AbortSignal.any`, because it leaks on Node 20: a long-lived signal retains every signal joined to
    // it.
    const ending = new AbortController();
    const giveUp = ending.signal;
    const end = (): void => {
      ending.abort();
    };
    const timer = setTimeout(end, waitMs);
    for (const signal of signals) {
      if (signal.aborted) end();
      else signal.addEventListener('abort', end, { once: true });
    }
    try {
      let { page, visible } = empty;
      // The time spent waiting does not count towards the deadline of a slow read.
      const later = { ...request, arrivedAtMs: undefined };
      while (page.isEmpty && !giveUp.aborted) {
        const onWaited = onWait?.();
        const { isFull } = this.watch;
        if (!isFull) await this.watch.next(page.after, giveUp, this.source.concerns(request, visible));
        onWaited?.();
        // Check the access again, because the caller may have lost it during the wait.
        visible = await visibility();
        page = await this.page(later, visible, page.after);
        if (isFull) break;
      }
      return page;
    } finally {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', end);
    }
  }
}
