import type { EventFeed, EventsRequest, FeedPage } from './event-feed.js';
import type { News } from './feed-news.js';
import type { FeedWatch } from './feed-watch.js';
import type { Visibility } from './visibility.js';

/** How long a reader waits, and until when. */
export interface Waiting {
  /** Milliseconds. */
  readonly waitMs: number;
  /** Each of them ends the waiting at once. They may live longer. */
  readonly signals: readonly AbortSignal[];
  /** Called each time that the reader has to wait. @returns is called when there is something to read. */
  readonly onWait?: () => () => void;
}

type SeesNow = () => Visibility | Promise<Visibility>;

/** A feed whose readers may wait for what comes. */
export class WaitedFeed<Name extends string, Member extends { readonly id: string }> {
  /** @param concerns whether a reader asks for something new, and may see it. */
  constructor(
    private readonly feed: EventFeed<Name, Member>,
    private readonly watch: FeedWatch,
    private readonly concerns: (request: EventsRequest, visible: Visibility) => (news: News) => boolean,
  ) {}

  /**
   * A page of the feed. Where it is empty, it is waited for.
   * @param visibility what the reader may see, judged anew for each look at the feed, and so right before the answer.
   */
  async page(request: EventsRequest, visibility: SeesNow, waiting?: Waiting): Promise<FeedPage<Name, Member>> {
    const visible = await visibility();
    const page = await this.feed.page(request, visible);
    const isLast = !page.isEmpty || request.cursor !== undefined || request.descending;
    return waiting === undefined || isLast ? page : this.waitedPage(request, visibility, waiting, { page, visible });
  }

  private async waitedPage(
    request: EventsRequest,
    visibility: SeesNow,
    { waitMs, signals, onWait }: Waiting,
    empty: { readonly page: FeedPage<Name, Member>; readonly visible: Visibility },
  ): Promise<FeedPage<Name, Member>> {
    // Not `AbortSignal.any`: on Node 20 a signal that lives long remembers every other one that was ever joined to it.
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
      // What it has waited is no part of the time that a read may take.
      const later = { ...request, arrivedAtMs: undefined };
      while (page.isEmpty && !giveUp.aborted) {
        const onWaited = onWait?.();
        const isFull = await this.watch.until(page.after, this.concerns(request, visible), giveUp);
        onWaited?.();
        // Also where nothing has come: a caller who may no longer read is refused.
        visible = await visibility();
        page = await this.feed.page(later, visible, page.after);
        if (isFull) break;
      }
      return page;
    } finally {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', end);
    }
  }
}
