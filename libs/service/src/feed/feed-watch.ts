import { setImmediate as yieldToEventLoop, setTimeout as sleep } from 'node:timers/promises';

import type { Database } from '../data/database/database.js';

import type { FeedClock } from './feed-clock.js';
import { readEntries, type FeedEntry } from './feed-entries.js';
import type { FeedTable } from './feed-table.js';

/** Interval of the polls for writes of other instances. */
const PERIOD_MS = 250;
/** Delay of a poll that a write requests shortly before it commits. */
const SOON_MS = 10;
const MAX_WAITING = 1000;
/** Readers that are woken per turn of the event loop. Few, because each woken reader reads the feed. */
const WAKE_BATCH = 10;

interface WaitingReader {
  /** No entry up to this id concerns the reader. */
  end: string;
  /** Undefined: every entry wakes the reader. */
  readonly isConcerned: ((entry: FeedEntry) => boolean) | undefined;
  readonly wake: (end?: string) => void;
}

/** One poll serves all waiting readers. A reader wakes only for an entry that it requested and may see. */
export class FeedWatch {
  private readonly waiting = new Set<WaitingReader>();
  private polling: Promise<void> | undefined;
  /** Call when a write of this process is about to commit. Undefined without waiting readers and during a poll. */
  pollSoon: (() => void) | undefined;

  constructor(
    private readonly clock: FeedClock,
    private readonly database: Database,
    private readonly table: FeedTable,
  ) {}

  get isFull(): boolean {
    return this.waiting.size >= MAX_WAITING;
  }

  /**
   * Waits until an entry after this position concerns the reader. Too many entries to examine also end the wait.
   * @param isConcerned Undefined for readers within the service: they are few and wait for every entry.
   * @returns The end of the feed. Undefined after an abort or a failed read.
   */
  async next(
    end: string,
    signal: AbortSignal,
    isConcerned?: WaitingReader['isConcerned'],
  ): Promise<string | undefined> {
    if (signal.aborted) return undefined;
    return new Promise<string | undefined>((resolve) => {
      const giveUp = (): void => entry.wake();
      const wake = (found?: string): void => {
        this.waiting.delete(entry);
        signal.removeEventListener('abort', giveUp);
        resolve(found);
      };
      const entry: WaitingReader = { end, isConcerned, wake };
      signal.addEventListener('abort', giveUp);
      this.waiting.add(entry);
      this.polling ??= this.pollWhileWaiting();
    });
  }

  private async pollWhileWaiting(): Promise<void> {
    for (;;) {
      await this.pause();
      // Without waiting readers, do not query the database: a stopping service closes it once the last reader has left.
      if (this.waiting.size === 0) break;
      const end = await this.clock.read().then(
        (state) => state.end,
        () => undefined,
      );
      await this.wakeAll(end, await this.concernedBy(end));
    }
    this.polling = undefined;
  }

  /** @param end Undefined after a failed read of the feed. */
  private async concernedBy(end: string | undefined): Promise<WaitingReader[]> {
    const behind = [...this.waiting].filter((entry) => entry.end !== end);
    const readers = behind.filter(({ isConcerned }) => isConcerned !== undefined);
    if (end === undefined || readers.length === 0) return behind;
    const [first = end] = readers.map((entry) => entry.end).sort();
    const entries = await readEntries(this.database, this.table, first, end).catch(() => undefined);
    if (entries === undefined) return behind;
    return behind.filter((entry) => {
      // After a restore, a position may be past the end: wake the reader, because its next read is refused.
      if (entry.isConcerned === undefined || entry.end > end) return true;
      if (entries.some((one) => one.id > entry.end && entry.isConcerned?.(one))) return true;
      entry.end = end;
      return false;
    });
  }

  private async wakeAll(end: string | undefined, concerned: readonly WaitingReader[]): Promise<void> {
    for (const [index, entry] of concerned.entries()) {
      entry.wake(end);
      if (index % WAKE_BATCH === WAKE_BATCH - 1) await yieldToEventLoop();
    }
  }

  /** Waits for the next poll. A write of this process may request an early poll. */
  private async pause(): Promise<void> {
    const over = new AbortController();
    this.pollSoon = () => {
      this.pollSoon = undefined;
      setTimeout(() => over.abort(), SOON_MS);
    };
    await sleep(PERIOD_MS, undefined, { signal: over.signal }).catch(() => undefined);
    this.pollSoon = undefined;
  }
}
