import type { Clock } from './dispatch.js';

/** Each period of this length in a turn permits one more attempt. */
const MS_PER_ATTEMPT = 4;

export interface PacedWebhook {
  readonly isFailing: boolean;
  /** @returns whether an attempt has begun; if not, the pacer removes the webhook. */
  beginOne(): boolean;
}

/**
 * Begins one attempt per turn of the event loop (more after a long turn), so that incoming requests do not wait behind
 * many attempts. Failing receivers share one additional attempt per turn.
 */
export class AttemptPacer {
  private readonly webhooks = new Set<PacedWebhook>();
  private running: Promise<void> | undefined;
  private lastTurnAt = 0;

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  add(webhook: PacedWebhook): void {
    this.webhooks.add(webhook);
    this.running ??= this.runTurns();
  }

  /** Resolves when the pacer becomes empty; undefined if it is empty. */
  get drained(): Promise<void> | undefined {
    return this.running;
  }

  private async runTurns(): Promise<void> {
    this.lastTurnAt = this.clock.monotonic();
    while (this.webhooks.size > 0) {
      await new Promise(setImmediate);
      this.takeTurn();
    }
    this.running = undefined;
  }

  private takeTurn(): void {
    const now = this.clock.monotonic();
    const max = 1 + Math.floor((now - this.lastTurnAt) / MS_PER_ATTEMPT);
    this.lastTurnAt = now;
    this.begin(max, false);
    this.begin(1, true);
  }

  private begin(max: number, isFailing: boolean): void {
    for (let begun = 0; begun < max;) {
      const next = [...this.webhooks].find((one) => one.isFailing === isFailing);
      if (next === undefined) return;
      this.webhooks.delete(next);
      if (!next.beginOne()) continue;
      this.webhooks.add(next);
      begun += 1;
    }
  }
}
