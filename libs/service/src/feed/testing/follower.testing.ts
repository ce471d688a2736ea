import { setTimeout as sleep } from 'node:timers/promises';

import type { AuditEvent } from '../audit/audit-event.js';
import type { EventsRequest, FeedEvent } from '../event-feed.js';
import { ALL, type Library } from './library.testing.js';

interface Page<Member> {
  readonly members: readonly Member[];
  readonly after: string;
  readonly next_cursor?: string;
}

export type ReadFeed<Member> = (request: EventsRequest) => Promise<Page<Member>>;

export function eventsOf({ events }: Library): ReadFeed<FeedEvent> {
  return async (request) => {
    const { body } = await events.page(request, () => ALL);
    return { ...body, members: body.events };
  };
}

export function auditOf({ events: { audit } }: Library): ReadFeed<AuditEvent> {
  return async (request) => {
    if (audit === undefined) throw new Error('This library records nothing.');
    const { body } = await audit.page(request, () => undefined);
    return { ...body, members: body.audit_events };
  };
}

/** Reads a feed page by page, like a client. */
export class Follower<Member> {
  readonly seen: Member[] = [];

  /** @param after First position. */
  constructor(
    private readonly read: ReadFeed<Member>,
    private after: string,
  ) {}

  /** @param isOver Called with the number of events so far, whenever no further event is listed. */
  async followUntil(isOver: (seen: number) => boolean): Promise<void> {
    for (;;) {
      const read = await this.walk();
      if (read === 0 && isOver(this.seen.length)) return;
      await sleep(Math.random() < 0.3 ? Math.random() * 10 : 0);
    }
  }

  /** Reads all pages up to the end of the feed. @returns The number of events. */
  private async walk(): Promise<number> {
    const before = this.seen.length;
    const { after } = this;
    let cursor: string | undefined;
    do {
      const limit = 1 + Math.floor(Math.random() * 100);
      const request = { limit, descending: false, after, ...(cursor !== undefined && { cursor }) };
      const page = await this.read(request);
      this.seen.push(...page.members);
      this.after = page.after;
      cursor = page.next_cursor;
      // A client may lose its cursor, and continue from the position that it has reached.
    } while (cursor !== undefined && Math.random() < 0.9);
    return this.seen.length - before + Number(cursor !== undefined);
  }
}
