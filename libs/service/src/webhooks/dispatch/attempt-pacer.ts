import type { Clock } from './dispatch.js';

/** A turn of the event loop that took this long allows one more attempt. */
const MS_PER_ATTEMPT = 4;

export interface PacedWebhook {
  readonly isFailing: boolean;
  /** @returns whether an attempt has begun; if not, the webhook must be added again later. */
  beginOne(): boolean;
}

/**
 * Begins one attempt per turn of the event loop, so that requests do not wait for ten of them, and more only if turns
 * are long. Failing receivers share one separate attempt per turn.
 */
export class AttemptPacer {
  private readonly takers = new Set<PacedWebhook>();
  private turning: Promise<void> | undefined;
  private turnedAt = 0;

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  add(webhook: PacedWebhook): void {
    this.takers.add(webhook);
    this.turning ??= this.turnsToCome();
  }

  /** Resolves when no webhook has anything to begin; undefined if that is already so. */
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
