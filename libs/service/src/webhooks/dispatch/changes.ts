/** Maximum delay of a timer in Node. */
const LONGEST_MS = 2 ** 31 - 1;

/** Wakes loops that wait for a change. Other loops must check again before they wait. */
export class Changes {
  private readonly waiting = new Set<() => void>();

  get waiters(): number {
    return this.waiting.size;
  }

  notify(): void {
    for (const wake of this.waiting) wake();
  }

  /** Resolves with the next change, or after `ms`. Infinity sets no timer. */
  next(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === Infinity ? undefined : setTimeout(() => wake(), Math.min(ms, LONGEST_MS)).unref();
      const wake = (): void => {
        clearTimeout(timer);
        this.waiting.delete(wake);
        resolve();
      };
      this.waiting.add(wake);
    });
  }
}
