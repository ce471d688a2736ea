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
  readonly wake: () => void;
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
    if (signal.aborted) return false;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        this.waiting.delete(entry);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const entry: Waiting = { end, wake };
      signal.addEventListener('abort', wake);
      this.waiting.add(entry);
      this.looking ??= this.look();
    });
    return false;
  }

  private async look(): Promise<void> {
    while (this.waiting.size > 0) {
      await this.pause();
      const end = await this.clock.read().then(
        (state) => state.end,
        () => undefined,
      );
      for (const entry of this.waiting) {
        if (entry.end !== end) entry.wake();
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
