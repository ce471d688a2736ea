import type { CursorPolicy } from '../../data/lists/cursors.js';
import type { Database } from '../../data/database/database.js';

import type { EventsRequest, FeedPage } from '../event-feed.js';
import type { Visibility } from '../visibility.js';
import { LongPollFeed, type WaitOptions } from '../long-poll-feed.js';
import { auditSource, type AuditEvent } from './audit-event.js';

export type AuditEventsPage = FeedPage<'audit_events', AuditEvent>;

const ALL: Visibility = { all: [], own: [], userId: null };

export class AuditEvents {
  readonly feed: LongPollFeed<'audit_events', AuditEvent>;
  private readonly types = new Map<string, readonly string[]>();

  constructor(
    database: Database,
    policy: CursorPolicy,
    readonly keptMs: number,
  ) {
    const source = auditSource(database, () => [...this.types.values()].flat());
    this.feed = new LongPollFeed(database, source, policy, keptMs);
  }

  add(collection: string, types: readonly string[]): void {
    this.types.set(collection, types);
  }

  get(id: string): Promise<AuditEvent> {
    return this.feed.get(id, ALL);
  }

  /** @param requireAccess Called before each read. Throws if the reader has lost access. */
  page(request: EventsRequest, requireAccess: () => unknown, waiting?: WaitOptions): Promise<AuditEventsPage> {
    const visibility = async (): Promise<Visibility> => {
      await requireAccess();
      return ALL;
    };
    return this.feed.pageOrWait(request, visibility, waiting);
  }
}
