import type { CursorPolicy } from '../data/lists/cursors.js';
import type { HasId } from '../data/definition/collection.js';
import type { ChangeRecorder } from '../data/definition/change-recorder.js';
import { ApiError } from '@items/conventions';
import type { Database } from '../data/database/database.js';

import { AuditEvents } from './audit/audit-events.js';
import { AuditRecorder } from './audit/audit-recorder.js';
import { ChangeRecorders, EventRecorder } from './event-recorder.js';
import type { EventsPage, EventsRequest, FeedEvent, FeedSegment } from './event-feed.js';
import { auditOf, auditTypesOf, eventsOf, kindsOf, type EmittingCollection } from './event-kinds.js';
import { eventSource } from './event-source.js';
import type { Visibility } from './visibility.js';
import { LongPollFeed, type WaitOptions } from './long-poll-feed.js';

export interface EventsOptions {
  /** Current API version. Each event is stored with the version of its form. */
  readonly apiVersion: string;
  /** Converts an event of another API version to the form of {@link apiVersion}. */
  readonly inCurrentForm?: (event: FeedEvent) => FeedEvent;
  readonly keptMs: number;
  /** Length of a partition of PostgreSQL in milliseconds. Default: a day. */
  readonly partitionMs?: number | undefined;
  /** Disables the feed: writes make no events. */
  readonly off?: boolean;
  readonly auditKeptMs?: number;
}

export class EventsOffError extends ApiError {
  override readonly status = 404;
  override readonly code = 'events_off';

  constructor() {
    super('This service stores no events: it runs with EVENTS=off.');
  }
}

/**
 * Collections record their changes, and readers follow the feed.
 * @example
 * const events = new Events(database, policy, { apiVersion: '2026-11-20', keptMs: 30 * 86_400_000 });
 * const recorder = events.recorderOf(bookCollection);
 * const books = new CollectionService(database, idempotency, policy, bookCollection, recorder);
 * await events.begin();
 */
export class Events {
  private readonly feed: LongPollFeed<'events', FeedEvent>;
  private readonly collections = new Map<string, readonly string[]>();
  private readonly ordered = new Set<string>();
  readonly audit: AuditEvents | undefined;

  constructor(
    private readonly database: Database,
    policy: CursorPolicy,
    private readonly options: EventsOptions,
  ) {
    const { keptMs, apiVersion, inCurrentForm, auditKeptMs } = options;
    const source = eventSource(database, () => this.kinds, apiVersion, inCurrentForm);
    this.feed = new LongPollFeed(database, source, policy, keptMs);
    this.audit = auditKeptMs === undefined ? undefined : new AuditEvents(database, policy, auditKeptMs);
  }

  get kinds(): readonly string[] {
    return [...this.collections.values()].flat();
  }

  recorderOf<Resource extends HasId>(collection: EmittingCollection<Resource>): ChangeRecorder | undefined {
    const recorders = [this.eventRecorderOf(collection), this.auditRecorderOf(collection)] as const;
    if (recorders.every((recorder) => recorder === undefined)) return undefined;
    this.ordered.add(collection.name);
    return new ChangeRecorders(...recorders);
  }

  private eventRecorderOf<Resource extends HasId>(
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
      watch: this.feed.watch,
    });
  }

  private auditRecorderOf<Resource extends HasId>(
    collection: EmittingCollection<Resource>,
  ): AuditRecorder<Resource> | undefined {
    const rules = auditOf(collection);
    if (rules === undefined || this.audit === undefined) return undefined;
    this.audit.add(collection.name, auditTypesOf(collection));
    return new AuditRecorder(this.database.dialect, collection, rules, this.audit.feed.watch);
  }

  /** Call before the first write. The feed is complete from then on. */
  async begin(): Promise<void> {
    const order = 'UPDATE collection_lanes SET ordered = 1 WHERE collection = $1 AND ordered = 0';
    for (const name of this.ordered) await this.database.transaction((tx) => tx.query(order, [name]));
    if (this.collections.size > 0) await this.feed.clock.begin([...this.collections.keys()]);
  }

  /** @throws {EventsOffError} 404: the service makes no events. */
  requireOn(): void {
    if (this.options.off) throw new EventsOffError();
  }

  /** @throws {ResourceNotFoundError} 404: no such event is stored and visible. */
  async get(id: string, visible: Visibility): Promise<FeedEvent> {
    this.requireOn();
    return this.feed.get(id, visible);
  }

  /**
   * Returns a page of the feed. Waits while the page would be empty.
   * @param visibility Called before each read. Returns what the reader may see.
   * @throws {ExpiredCursorError} 400
   * @throws {InvalidCursorError} 400
   * @throws {EventsIncompleteError} 503
   * @throws {EventsOffError} 404
   */
  async page(
    request: EventsRequest,
    visibility: () => Visibility | Promise<Visibility>,
    waiting?: WaitOptions,
  ): Promise<EventsPage> {
    this.requireOn();
    return this.feed.pageOrWait(request, visibility, waiting);
  }

  get isOn(): boolean {
    return !this.options.off;
  }

  /** Returns events after any position, for readers within the service. */
  segment(
    after: string,
    types: readonly string[] | undefined,
    visible: Visibility,
    limit: number,
  ): Promise<FeedSegment> {
    return this.feed.segment(after, types, visible, limit);
  }

  /** @throws {ExpiredCursorError} 400: some events after the position are not stored. */
  requireKept(position: string): Promise<void> {
    this.requireOn();
    return this.feed.requireKept(position);
  }

  /**
   * Waits until the end of the feed differs from this position.
   * @returns Undefined after an abort or a failed read.
   */
  endBeyond(end: string, signal: AbortSignal): Promise<string | undefined> {
    return this.feed.watch.next(end, signal);
  }
}
