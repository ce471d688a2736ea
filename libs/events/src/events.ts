import type { CursorPolicy, Identified } from '@items/collections';
import type { ChangeRecorder } from '@items/collections/parts';
import { ApiError } from '@items/errors';
import type { Database } from '@items/store';

import { EventFeed, type EventsPage, type EventsRequest, type FeedEvent, type FeedStretch } from './event-feed.js';
import { eventsOf, kindsOf, type EmittingCollection } from './event-kinds.js';
import { EventRecorder } from './event-recorder.js';
import { FeedClock } from './feed-clock.js';
import { concerns } from './feed-news.js';
import { FeedWatch } from './feed-watch.js';
import type { Visibility } from './visibility.js';

/** What an application decides about its events. */
export interface EventsOptions {
  /** In whose form events show resources; each is kept with its own. */
  readonly apiVersion: string;
  /** Turns an event that was kept in the form of another version into the form of {@link apiVersion}. */
  readonly inCurrentForm?: (event: FeedEvent) => FeedEvent;
  /** How long events are kept, in milliseconds. */
  readonly keptMs: number;
  /** Whether writes make no events, and there is no feed. */
  readonly off?: boolean;
}

/** 404: the service keeps no events. */
export class EventsOffError extends ApiError {
  override readonly status = 404;
  override readonly code = 'events_off';

  constructor() {
    super('This service keeps no events: it runs with EVENTS=off.');
  }
}

/** How long a reader waits, and until when. */
export interface Waiting {
  /** Milliseconds. */
  readonly waitMs: number;
  /** Each of them ends the waiting at once. They may live longer. */
  readonly signals: readonly AbortSignal[];
}

/**
 * The events of a service: its collections record them, its readers follow them.
 * @example
 * const events = new Events(database, policy, { apiVersion: '2026-11-20', keptMs: 30 * 86_400_000 });
 * const books = new CollectionService(database, idempotency, policy, bookCollection, events.recorderOf(bookCollection));
 * await events.begin();
 */
export class Events {
  private readonly clock: FeedClock;
  private readonly feed: EventFeed;
  private readonly watch: FeedWatch;
  private readonly collections = new Map<string, readonly string[]>();

  constructor(
    private readonly database: Database,
    policy: CursorPolicy,
    private readonly options: EventsOptions,
  ) {
    this.clock = new FeedClock(database);
    this.watch = new FeedWatch(this.clock, database);
    const { seals, ttlMs: cursorTtlMs } = policy;
    const { keptMs, apiVersion, inCurrentForm = (event) => event } = options;
    const present = (event: FeedEvent): FeedEvent => (event.api_version === apiVersion ? event : inCurrentForm(event));
    this.feed = new EventFeed(database, this.clock, { seals, cursorTtlMs, keptMs, present }, () => this.kinds);
  }

  /** The kinds of all events of this service. */
  get kinds(): readonly string[] {
    return [...this.collections.values()].flat();
  }

  /** What records the changes of a collection; undefined where it makes no events. */
  recorderOf<Resource extends Identified>(collection: EmittingCollection<Resource>): ChangeRecorder | undefined {
    const events = eventsOf(collection);
    if (events === undefined || this.options.off) return undefined;
    this.collections.set(collection.name, kindsOf(collection));
    return new EventRecorder({
      dialect: this.database.dialect,
      events,
      present: collection.present,
      write: collection.write,
      writeFormer: collection.writeFormer,
      apiVersion: this.options.apiVersion,
      onEvent: this.watch.noticeWrite,
    });
  }

  /** Before the first write: from here on the feed tells all. */
  async begin(): Promise<void> {
    if (this.collections.size > 0) await this.clock.begin([...this.collections.keys()]);
  }

  /** One event, if it is kept and may be seen. @throws {ResourceNotFoundError} 404 @throws {EventsOffError} 404 */
  async get(id: string, visible: Visibility): Promise<FeedEvent> {
    this.requireOn();
    return this.feed.get(id, visible);
  }

  /**
   * A page of the feed. Where it is empty, it is waited for.
   * @param visibility what the reader may see, judged anew for each look at the feed, and so right before the answer.
   * @throws {ExpiredCursorError} 400 @throws {InvalidCursorError} 400 @throws {EventsIncompleteError} 503
   * @throws {EventsOffError} 404
   */
  async page(
    request: EventsRequest,
    visibility: () => Visibility | Promise<Visibility>,
    waiting?: Waiting,
  ): Promise<EventsPage> {
    this.requireOn();
    const visible = await visibility();
    const page = await this.feed.page(request, visible);
    const isLast = page.body.events.length > 0 || request.cursor !== undefined || request.descending;
    return waiting === undefined || isLast ? page : this.waitedPage(request, visibility, waiting, { page, visible });
  }

  /** Whether there is a feed. */
  get isOn(): boolean {
    return !this.options.off;
  }

  /**
   * For readers within the service, such as those who send events: what follows a place, known or not.
   * @param types kinds; all that the reader may see where it is left out. @param limit most events.
   * @throws {EventsIncompleteError} 503
   */
  stretch(
    after: string,
    types: readonly string[] | undefined,
    visible: Visibility,
    limit: number,
  ): Promise<FeedStretch> {
    return this.feed.stretch(after, types, visible, limit);
  }

  /** Refuses a place from which the feed is not whole. @throws {ExpiredCursorError} 400 @throws {EventsOffError} 404 */
  requireKept(place: string): Promise<void> {
    this.requireOn();
    return this.feed.requireKept(place);
  }

  /**
   * Waits until the feed ends elsewhere than at this place.
   * @returns where; undefined where the signal came first, or the feed could not be read just now.
   */
  endBeyond(end: string, signal: AbortSignal): Promise<string | undefined> {
    return this.watch.next(end, signal);
  }

  private async waitedPage(
    request: EventsRequest,
    visibility: () => Visibility | Promise<Visibility>,
    { waitMs, signals }: Waiting,
    empty: { readonly page: EventsPage; readonly visible: Visibility },
  ): Promise<EventsPage> {
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
      while (page.body.events.length === 0 && !giveUp.aborted) {
        const isFull = await this.watch.until(page.body.after, concerns(request, visible), giveUp);
        // Also where nothing has come: who may read no longer is told so.
        visible = await visibility();
        page = await this.feed.page(request, visible, page.body.after);
        if (isFull) break;
      }
      return page;
    } finally {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', end);
    }
  }

  private requireOn(): void {
    if (this.options.off) throw new EventsOffError();
  }
}
