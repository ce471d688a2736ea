interface Timer {
  readonly atMs: number;
  readonly run: () => void;
}

/** A clock that jumps to the next timer, so that minutes take milliseconds. */
export class VirtualTime {
  nowMs = Date.UTC(2026, 0, 1);
  private readonly timers = new Set<Timer>();
  private readonly real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };

  /** Replaces timers and clocks of this process until {@link restore}. */
  install(): void {
    const setTimer = (run: () => void, ms = 0): Timer => this.after(ms, run);
    globalThis.setTimeout = setTimer as unknown as typeof setTimeout;
    globalThis.clearTimeout = ((timer: Timer) => this.timers.delete(timer)) as unknown as typeof clearTimeout;
    jest.spyOn(Date, 'now').mockImplementation(() => this.nowMs);
    jest.spyOn(performance, 'now').mockImplementation(() => this.nowMs);
  }

  restore(): void {
    Object.assign(globalThis, this.real);
    jest.restoreAllMocks();
  }

  after(ms: number, run: () => void): Timer {
    const timer = { atMs: this.nowMs + Math.max(0, ms), run };
    this.timers.add(timer);
    return timer;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(ms, resolve));
  }

  /** Runs all timers of a period. @param step Called after each timer. */
  async pass(ms: number, step: () => void): Promise<void> {
    const endMs = this.nowMs + ms;
    for (;;) {
      await settled();
      step();
      const next = this.earliest();
      if (next === undefined || next.atMs > endMs) break;
      this.timers.delete(next);
      this.nowMs = next.atMs;
      next.run();
    }
    this.nowMs = endMs;
  }

  private earliest(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.timers) if (first === undefined || timer.atMs < first.atMs) first = timer;
    return first;
  }
}

/** Waits until all callbacks of settled promises have run. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
