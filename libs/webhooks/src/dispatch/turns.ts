import type { Clock } from './clock.js';

/** For each so many milliseconds that a turn of the event loop takes, one more attempt begins in it. */
const MS_PER_ATTEMPT = 4;

/**
 * Lets sending take turns with all else that the process does: one attempt begins in a turn of the event loop, and more
 * only where turns are long, so that a busy service sends on. Ten at once would keep each request waiting for all of them.
 */
export class Turns {
  /** Those who have something to begin, in turn. */
  private readonly asking = new Set<() => boolean>();
  private turning: Promise<void> | undefined;
  private turnedAt = 0;

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  /** @param beginOne begins one attempt. @returns of it: whether there may be more to begin. */
  ask(beginOne: () => boolean): void {
    this.asking.add(beginOne);
    this.turning ??= this.turnsToCome();
  }

  /** Resolves when nobody has anything to begin; undefined where it is so. */
  get over(): Promise<void> | undefined {
    return this.turning;
  }

  private async turnsToCome(): Promise<void> {
    this.turnedAt = this.clock.monotonic();
    while (this.asking.size > 0) {
      await new Promise(setImmediate);
      this.turn();
    }
    this.turning = undefined;
  }

  private turn(): void {
    const now = this.clock.monotonic();
    const most = 1 + Math.floor((now - this.turnedAt) / MS_PER_ATTEMPT);
    this.turnedAt = now;
    for (let begun = 0; begun < most; begun += 1) {
      const [beginOne] = this.asking;
      if (beginOne === undefined) return;
      this.asking.delete(beginOne);
      if (beginOne()) this.asking.add(beginOne);
    }
  }
}
