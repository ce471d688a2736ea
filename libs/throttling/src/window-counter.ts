/** Requests counted in one window. */
interface Window {
  count: number;
  /** On the clock of whoever counts. */
  resetAt: number;
}

/**
 * The time of a clock that is never set: a window is to last as long as it says. In whole milliseconds: with fractions, a
 * sum that is rounded would tell a window of 30 seconds to last 31.
 */
export function monotonicMs(): number {
  return Math.floor(performance.now());
}

/**
 * Fixed windows that begin with their first request: one small record a key, however many requests it counts.
 *
 * They are kept in two generations, the older of which is dropped as a whole: when all its windows have ended, or when
 * the younger one is full. What is still in use moves on to the younger one. So nothing is ever searched for what may
 * go, and no timer runs.
 */
export class WindowCounter {
  private younger = new Map<string, Window>();
  private older = new Map<string, Window>();
  private longestMs = 0;
  private rotatedAtMs = 0;

  /** @param capacity most windows held at once; beyond it, those that were not used for longest are forgotten. */
  constructor(private readonly capacity = Infinity) {}

  /** Windows held, those that have ended and were not dropped yet included. */
  get size(): number {
    return this.younger.size + this.older.size;
  }

  /**
   * Counts one request.
   * @param windowMs length of the window that begins if none is open.
   * @param nowMs as {@link monotonicMs} gives it.
   * @returns the open window, this request included.
   */
  hit(key: string, windowMs: number, nowMs: number): Readonly<Window> {
    this.rotateIfDue(windowMs, nowMs);
    let window = this.younger.get(key) ?? this.takeOlder(key);
    if (window === undefined) {
      window = { count: 0, resetAt: nowMs + windowMs };
      this.younger.set(key, window);
    } else if (window.resetAt <= nowMs) {
      window.count = 0;
      window.resetAt = nowMs + windowMs;
    }
    window.count++;
    return window;
  }

  /** The window that is open, without counting. */
  peek(key: string, nowMs: number): Readonly<Window> | undefined {
    const window = this.younger.get(key) ?? this.older.get(key);
    return window !== undefined && window.resetAt > nowMs ? window : undefined;
  }

  /** The next request begins a new window. */
  forget(key: string): boolean {
    return [this.younger.delete(key), this.older.delete(key)].includes(true);
  }

  private takeOlder(key: string): Window | undefined {
    const window = this.older.get(key);
    if (window === undefined) return undefined;
    this.older.delete(key);
    this.younger.set(key, window);
    return window;
  }

  private rotateIfDue(windowMs: number, nowMs: number): void {
    this.longestMs = Math.max(this.longestMs, windowMs);
    const haveOlderEnded = nowMs - this.rotatedAtMs >= this.longestMs;
    if (!haveOlderEnded && this.younger.size < this.capacity / 2) return;
    this.older = this.younger;
    this.younger = new Map();
    this.rotatedAtMs = nowMs;
  }
}
