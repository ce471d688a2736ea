import type { FailureWindow, FailureWindows } from './failure-windows.js';
import { WindowCounter } from './memory-throttler-storage.js';

/** About 20 MB of keys. Beyond it, the least recently used ones are dropped. */
const MAX_KEYS = 100_000;

const NO_FAILURES: FailureWindow = { count: 0, leftMs: 0 };

export class MemoryFailureWindows implements FailureWindows {
  private readonly windows = new WindowCounter(MAX_KEYS);

  constructor(private readonly windowMs: number) {}

  get size(): number {
    return this.windows.size;
  }

  read(key: string): FailureWindow {
    const nowMs = Math.floor(performance.now());
    const open = this.windows.peek(key, nowMs);
    return open === undefined ? NO_FAILURES : { count: open.count, leftMs: open.resetAt - nowMs };
  }

  add(key: string): Promise<unknown> {
    return Promise.resolve(this.windows.hit(key, this.windowMs, Math.floor(performance.now())));
  }

  forget(key: string): Promise<unknown> {
    return Promise.resolve(this.windows.forget(key));
  }
}
