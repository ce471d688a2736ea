/** No timer of Node is longer. */
const LONGEST_MS = 2 ** 31 - 1;

/** Lets loops wait until something has changed. What changes while a loop is at work, it sees when it looks again. */
export class Changes {
  private readonly waiting = new Set<() => void>();

  /** How many loops wait. */
  get waiters(): number {
    return this.waiting.size;
  }

  /** All that wait look again. */
  notify(): void {
    for (const wake of this.waiting) wake();
  }

  /** Resolves with the next change, or after so many milliseconds; Infinity for no timer. */
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
