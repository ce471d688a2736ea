import type { CursorPolicy } from '../../data/lists/cursors.js';
import type { Database } from '../../data/database/database.js';

import { EventFeed, type EventsRequest, type FeedPage } from '../event-feed.js';
import { FeedClock } from '../feed-clock.js';
import { isAuditedFor } from '../feed-entries.js';
import { AUDIT_EVENTS } from '../feed-table.js';
import { FeedWatch } from '../feed-watch.js';
import type { Visibility } from '../visibility.js';
import { LongPollFeed, type Waiting } from '../long-poll-feed.js';
import { auditSource, type AuditEvent } from './audit-event.js';

export type AuditEventsPage = FeedPage<'audit_events', AuditEvent>;

const ALL: Visibility = { all: [], own: [], userId: null };

export class AuditEvents {
  private readonly feed: EventFeed<'audit_events', AuditEvent>;
  private readonly waited: LongPollFeed<'audit_events', AuditEvent>;
  readonly watch: FeedWatch;
  private readonly types = new Map<string, readonly string[]>();

  constructor(
    database: Database,
    { seals, ttlMs: cursorTtlMs }: CursorPolicy,
    readonly keptMs: number,
  ) {
    const clock = new FeedClock(database, AUDIT_EVENTS);
    this.watch = new FeedWatch(clock, database, AUDIT_EVENTS);
    const source = auditSource(database, () => [...this.types.values()].flat());
    this.feed = new EventFeed(database, clock, { seals, cursorTtlMs, keptMs }, source);
    this.waited = new LongPollFeed(this.feed, this.watch, isAuditedFor);
  }

  add(collection: string, types: readonly string[]): void {
    this.types.set(collection, types);
  }

  get(id: string): Promise<AuditEvent> {
    return this.feed.get(id, ALL);
  }

  /** @param judge Refuses a reader who lost access. Called before each read. */
  page(request: EventsRequest, judge: () => unknown, waiting?: Waiting): Promise<AuditEventsPage> {
    const visibility = async (): Promise<Visibility> => {
      await judge();
      return ALL;
    };
    return this.waited.page(request, visibility, waiting);
  }
}
