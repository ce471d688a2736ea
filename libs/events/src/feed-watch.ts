import { setTimeout as sleep } from 'node:timers/promises';

import type { FeedClock } from './feed-clock.js';

/** Between two looks at the feed while somebody waits, in milliseconds: other instances write as well. */
const PERIOD_MS = 250;
/** After a write of this process, which is about to be committed. */
const SOON_MS = 10;
/** Who waits beyond that many is not kept waiting. */
const MAX_WAITING = 1000;

interface Waiting {
  readonly end: string;
  readonly wake: (end?: string) => void;
}

/** Wakes those who wait for something to be listed: one look at the feed for all of them. */
export class FeedWatch {
  private readonly waiting = new Set<Waiting>();
  private looking: Promise<void> | undefined;
  private hurry: (() => void) | undefined;

  constructor(private readonly clock: FeedClock) {}

  /** An event of this process is being written. */
  readonly noticeWrite = (): void => {
    this.hurry?.();
  };

  /**
   * Waits until the feed ends elsewhere than at this place; it may end there all the same, such as where it cannot be read.
   * @param signal ends the waiting.
   * @returns true at once where too many wait already.
   */
  async until(end: string, signal: AbortSignal): Promise<boolean> {
    if (this.waiting.size >= MAX_WAITING) return true;
    await this.next(end, signal);
    return false;
  }

  /**
   * The same for the service's own readers, who are few.
   * @returns where the feed ends; undefined where the waiting was ended, or the feed could not be read.
   */
  async next(end: string, signal: AbortSignal): Promise<string | undefined> {
    if (signal.aborted) return undefined;
    return new Promise<string | undefined>((resolve) => {
      const giveUp = (): void => entry.wake();
      const wake = (found?: string): void => {
        this.waiting.delete(entry);
        signal.removeEventListener('abort', giveUp);
        resolve(found);
      };
      const entry: Waiting = { end, wake };
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
      for (const entry of this.waiting) {
        if (entry.end !== end) entry.wake(end);
      }
    }
    this.looking = undefined;
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
