import type { Clock } from './clock.js';

/** For each so many milliseconds that a turn of the event loop takes, one more attempt begins in it. */
const MS_PER_ATTEMPT = 4;

/** One webhook that may have attempts to begin. */
export interface TurnTaker {
  /** Whether its receiver fails: then others do not wait for it. */
  readonly isFailing: boolean;
  /** @returns whether an attempt has begun; if not, it is added again when there is one. */
  beginOne(): boolean;
}

/**
 * Lets sending take turns with all else that the process does: one attempt begins in a turn of the event loop, and more
 * only where turns are long, so that a busy service sends on. Ten at once would keep each request waiting for all of them.
 * Receivers that fail have a share of their own, one attempt in a turn: however many there are, no other one waits for them.
 */
export class Turns {
  /** In turn. */
  private readonly takers = new Set<TurnTaker>();
  private turning: Promise<void> | undefined;
  private turnedAt = 0;

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  add(webhook: TurnTaker): void {
    this.takers.add(webhook);
    this.turning ??= this.turnsToCome();
  }

  /** Resolves when no webhook has anything to begin; undefined where it is so. */
  get over(): Promise<void> | undefined {
    return this.turning;
  }

  private async turnsToCome(): Promise<void> {
    this.turnedAt = this.clock.monotonic();
    while (this.takers.size > 0) {
      await new Promise(setImmediate);
      this.turn();
    }
    this.turning = undefined;
  }

  private turn(): void {
    const now = this.clock.monotonic();
    const most = 1 + Math.floor((now - this.turnedAt) / MS_PER_ATTEMPT);
    this.turnedAt = now;
    this.begin(most, false);
    this.begin(1, true);
  }

  /** Those that begin nothing take the place of no other. */
  private begin(most: number, isFailing: boolean): void {
    for (let begun = 0; begun < most;) {
      const next = [...this.takers].find((one) => one.isFailing === isFailing);
      if (next === undefined) return;
      this.takers.delete(next);
      if (!next.beginOne()) continue;
      this.takers.add(next);
      begun += 1;
    }
  }
}
