import type { CursorPolicy } from '../../data/lists/cursors.js';
import type { Database } from '../../data/database/database.js';

import { EventFeed, type EventsRequest, type FeedPage } from '../event-feed.js';
import { FeedClock } from '../feed-clock.js';
import { isAuditedFor } from '../feed-news.js';
import { AUDIT_EVENTS } from '../feed-table.js';
import { FeedWatch } from '../feed-watch.js';
import type { Visibility } from '../visibility.js';
import { WaitedFeed, type Waiting } from '../waited-feed.js';
import { auditSource, type AuditEvent } from './audit-event.js';

export type AuditEventsPage = FeedPage<'audit_events', AuditEvent>;

/** Who may read the audit sees all of it. */
const ALL: Visibility = { all: [], own: [], userId: null };

/** Who made which change of a service: its collections record it, its readers follow it. */
export class AuditEvents {
  private readonly feed: EventFeed<'audit_events', AuditEvent>;
  private readonly waited: WaitedFeed<'audit_events', AuditEvent>;
  readonly watch: FeedWatch;
  private readonly types = new Map<string, readonly string[]>();

  /** @param keptMs how long records are kept, in milliseconds. */
  constructor(
    database: Database,
    { seals, ttlMs: cursorTtlMs }: CursorPolicy,
    readonly keptMs: number,
  ) {
    const clock = new FeedClock(database, AUDIT_EVENTS);
    this.watch = new FeedWatch(clock, database, AUDIT_EVENTS);
    const source = auditSource(database, () => [...this.types.values()].flat());
    this.feed = new EventFeed(database, clock, { seals, cursorTtlMs, keptMs }, source);
    this.waited = new WaitedFeed(this.feed, this.watch, isAuditedFor);
  }

  /** Adds a collection that is audited. @param types of its records: `item.created`. */
  add(collection: string, types: readonly string[]): void {
    this.types.set(collection, types);
  }

  /** @throws {ResourceNotFoundError} 404 */
  get(id: string): Promise<AuditEvent> {
    return this.feed.get(id, ALL);
  }

  /**
   * A page of the audit. Where it is empty, it is waited for.
   * @param judge refuses who may read no longer: called before each look.
   * @throws {ExpiredCursorError} 400 @throws {InvalidCursorError} 400
   */
  page(request: EventsRequest, judge: () => unknown, waiting?: Waiting): Promise<AuditEventsPage> {
    const visibility = async (): Promise<Visibility> => {
      await judge();
      return ALL;
    };
    return this.waited.page(request, visibility, waiting);
  }
}
