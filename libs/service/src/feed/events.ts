import type { CursorPolicy } from '../data/lists/cursors.js';
import type { Identified } from '../data/definition/collection.js';
import type { ChangeRecorder } from '../data/definition/change-recorder.js';
import { ApiError } from '@items/conventions';
import type { Database } from '../data/database/database.js';

import { AuditEvents } from './audit/audit-events.js';
import { AuditRecorder } from './audit/audit-recorder.js';
import { ChangeRecorders, EventRecorder } from './event-recorder.js';
import { EventFeed, type EventsPage, type EventsRequest, type FeedEvent, type FeedStretch } from './event-feed.js';
import { auditOf, auditTypesOf, eventsOf, kindsOf, type EmittingCollection } from './event-kinds.js';
import { eventSource } from './event-source.js';
import { FeedClock } from './feed-clock.js';
import { concerns } from './feed-news.js';
import { EVENTS } from './feed-table.js';
import { FeedWatch } from './feed-watch.js';
import type { Visibility } from './visibility.js';
import { WaitedFeed, type Waiting } from './waited-feed.js';

/** What an application decides about its events. */
export interface EventsOptions {
  /** In whose form events show resources; each is kept with its own. */
  readonly apiVersion: string;
  /** Turns an event that was kept in the form of another version into the form of {@link apiVersion}. */
  readonly inCurrentForm?: (event: FeedEvent) => FeedEvent;
  /** How long events are kept, in milliseconds. */
  readonly keptMs: number;
  /** How long a partition of PostgreSQL is, in milliseconds; a day where it is left out. */
  readonly partitionMs?: number | undefined;
  /** Whether writes make no events, and there is no feed. */
  readonly off?: boolean;
  /** How long it is kept who made which change, in milliseconds; it is not recorded where this is left out. */
  readonly auditKeptMs?: number;
}

/** 404: the service keeps no events. */
export class EventsOffError extends ApiError {
  override readonly status = 404;
  override readonly code = 'events_off';

  constructor() {
    super('This service keeps no events: it runs with EVENTS=off.');
  }
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
  private readonly waited: WaitedFeed<'events', FeedEvent>;
  private readonly watch: FeedWatch;
  /** Kinds of events, by the collections that make them. */
  private readonly collections = new Map<string, readonly string[]>();
  /** Collections whose writes have one order. */
  private readonly ordered = new Set<string>();
  /** Who made which change; undefined where that is not recorded. */
  readonly audit: AuditEvents | undefined;

  constructor(
    private readonly database: Database,
    policy: CursorPolicy,
    private readonly options: EventsOptions,
  ) {
    this.clock = new FeedClock(database, EVENTS);
    this.watch = new FeedWatch(this.clock, database, EVENTS);
    const { seals, ttlMs: cursorTtlMs } = policy;
    const { keptMs, apiVersion, inCurrentForm, auditKeptMs } = options;
    const source = eventSource(database, () => this.kinds, apiVersion, inCurrentForm);
    this.feed = new EventFeed(database, this.clock, { seals, cursorTtlMs, keptMs }, source);
    this.waited = new WaitedFeed(this.feed, this.watch, concerns);
    this.audit = auditKeptMs === undefined ? undefined : new AuditEvents(database, policy, auditKeptMs);
  }

  /** The kinds of all events of this service. */
  get kinds(): readonly string[] {
    return [...this.collections.values()].flat();
  }

  /** What records the changes of a collection; undefined where nothing does. */
  recorderOf<Resource extends Identified>(collection: EmittingCollection<Resource>): ChangeRecorder | undefined {
    const recorders = [this.eventRecorderOf(collection), this.auditRecorderOf(collection)] as const;
    if (recorders.every((recorder) => recorder === undefined)) return undefined;
    this.ordered.add(collection.name);
    return new ChangeRecorders(...recorders);
  }

  private eventRecorderOf<Resource extends Identified>(
    collection: EmittingCollection<Resource>,
  ): EventRecorder<Resource> | undefined {
    const events = eventsOf(collection);
    if (events === undefined || this.options.off) return undefined;
    this.collections.set(collection.name, kindsOf(collection));
    return new EventRecorder({
      dialect: this.database.dialect,
      events,
      present: collection.present,
      toJson: collection.toJson,
      formerToJson: collection.formerToJson,
      apiVersion: this.options.apiVersion,
      watch: this.watch,
    });
  }

  private auditRecorderOf<Resource extends Identified>(
    collection: EmittingCollection<Resource>,
  ): AuditRecorder<Resource> | undefined {
    const rules = auditOf(collection);
    if (rules === undefined || this.audit === undefined) return undefined;
    this.audit.add(collection.name, auditTypesOf(collection));
    return new AuditRecorder(this.database.dialect, collection, rules, this.audit.watch);
  }

  /** Before the first write: from here on the feed tells all. */
  async begin(): Promise<void> {
    const order = 'UPDATE collection_lanes SET ordered = 1 WHERE collection = $1 AND ordered = 0';
    for (const name of this.ordered) await this.database.transaction((tx) => tx.query(order, [name]));
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
    return this.waited.page(request, visibility, waiting);
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

  private requireOn(): void {
    if (this.options.off) throw new EventsOffError();
  }
}
