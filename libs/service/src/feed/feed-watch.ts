import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

import type { Database } from '../data/database/database.js';

import type { FeedClock } from './feed-clock.js';
import { newsBetween, type News } from './feed-news.js';
import type { FeedTable } from './feed-table.js';

/** Between two looks at the feed while somebody waits, in milliseconds: other instances write as well. */
const PERIOD_MS = 250;
/** After a write of this process, which is about to be committed. */
const SOON_MS = 10;
/** Who waits beyond that many is not kept waiting. */
const MAX_WAITING = 1000;
/** Who are woken in one turn of the event loop: each of them reads the feed. */
const WOKEN_AT_ONCE = 10;

interface Waiting {
  /** Nothing up to it concerns who waits. */
  end: string;
  /** Undefined for who is woken by everything. */
  readonly isConcerned: ((news: News) => boolean) | undefined;
  readonly wake: (end?: string) => void;
}

/**
 * Wakes those who wait for something to be listed: one look at the feed for all of them, and none is woken for what they
 * have not requested or may not see.
 */
export class FeedWatch {
  private readonly waiting = new Set<Waiting>();
  private looking: Promise<void> | undefined;
  /** Looks soon: for a write of this process that is about to be committed. Undefined where no request waits. */
  hurry: (() => void) | undefined;

  constructor(
    private readonly clock: FeedClock,
    private readonly database: Database,
    private readonly table: FeedTable,
  ) {}

  /**
   * Waits until something behind this place concerns the reader; there may be nothing all the same, such as where the feed
   * cannot be read.
   * @param signal ends the waiting.
   * @returns true at once where too many wait already.
   */
  async until(end: string, isConcerned: (news: News) => boolean, signal: AbortSignal): Promise<boolean> {
    if (this.waiting.size >= MAX_WAITING) return true;
    await this.wait(end, isConcerned, signal);
    return false;
  }

  /**
   * Waits until the feed ends elsewhere than at this place, for the service's own readers, who are few.
   * @returns where the feed ends; undefined where the waiting was ended, or the feed could not be read.
   */
  next(end: string, signal: AbortSignal): Promise<string | undefined> {
    return this.wait(end, undefined, signal);
  }

  private async wait(
    end: string,
    isConcerned: Waiting['isConcerned'],
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (signal.aborted) return undefined;
    return new Promise<string | undefined>((resolve) => {
      const giveUp = (): void => entry.wake();
      const wake = (found?: string): void => {
        this.waiting.delete(entry);
        signal.removeEventListener('abort', giveUp);
        resolve(found);
      };
      const entry: Waiting = { end, isConcerned, wake };
      signal.addEventListener('abort', giveUp);
      this.waiting.add(entry);
      this.looking ??= this.look();
    });
  }

  private async look(): Promise<void> {
    while (this.waiting.size > 0) {
      await this.pause();
      const end = await this.clock.read().then(
        (state) => state.end,
        () => undefined,
      );
      await this.wakeAll(end, await this.concernedBy(end));
    }
    this.looking = undefined;
  }

  /** The others have seen as much, and wait on. @param end undefined where the feed cannot be read. */
  private async concernedBy(end: string | undefined): Promise<Waiting[]> {
    const behind = [...this.waiting].filter((entry) => entry.end !== end);
    const readers = behind.filter(({ isConcerned }) => isConcerned !== undefined);
    if (end === undefined || readers.length === 0) return behind;
    const [first = end] = readers.map((entry) => entry.end).sort();
    const news = await newsBetween(this.database, this.table, first, end).catch(() => undefined);
    if (news === undefined) return behind;
    return behind.filter((entry) => {
      // A feed that ends before it has been put back.
      if (entry.isConcerned === undefined || entry.end > end) return true;
      if (news.some((one) => one.id > entry.end && entry.isConcerned?.(one))) return true;
      entry.end = end;
      return false;
    });
  }

  /** A few in a turn, so that others are served between them. */
  private async wakeAll(end: string | undefined, concerned: readonly Waiting[]): Promise<void> {
    for (const [index, entry] of concerned.entries()) {
      entry.wake(end);
      if (index % WOKEN_AT_ONCE === WOKEN_AT_ONCE - 1) await nextTurn();
    }
  }

  /** A period, or until shortly after a write of this process. */
  private async pause(): Promise<void> {
    const over = new AbortController();
    this.hurry = () => {
      this.hurry = undefined;
      setTimeout(() => over.abort(), SOON_MS);
    };
    await sleep(PERIOD_MS, undefined, { signal: over.signal }).catch(() => undefined);
    this.hurry = undefined;
  }
}
