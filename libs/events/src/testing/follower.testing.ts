import { setTimeout as sleep } from 'node:timers/promises';

import type { FeedEvent } from '../event-feed.js';
import { ALL, type Library } from './library.testing.js';

/** Reads the feed page by page, as a client does. */
export class Follower {
  readonly seen: FeedEvent[] = [];

  /** @param after where it begins. */
  constructor(
    private readonly library: Library,
    private after: string,
  ) {}

  async followUntil(isOver: () => boolean): Promise<void> {
    for (;;) {
      const over = isOver();
      const read = await this.read();
      if (over && read === 0) return;
      await sleep(Math.random() < 0.3 ? Math.random() * 10 : 0);
    }
  }

  /** Pages to the end of one walk. @returns events read. */
  private async read(): Promise<number> {
    const before = this.seen.length;
    const { after } = this;
    let cursor: string | undefined;
    do {
      const limit = 1 + Math.floor(Math.random() * 100);
      const request = { limit, descending: false, after, ...(cursor !== undefined && { cursor }) };
      const { body } = await this.library.events.page(request, () => ALL);
      this.seen.push(...body.events);
      this.after = body.after;
      cursor = body.next_cursor;
      // A client may lose its cursor, and go on from the place that it has reached.
    } while (cursor !== undefined && Math.random() < 0.9);
    return this.seen.length - before + Number(cursor !== undefined);
  }
}
