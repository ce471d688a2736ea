import type { MaybePromise } from '@items/conventions';
import { WindowCounter } from './memory-throttler-storage.js';
import type { RedisLink } from './redis-link.js';

/** Failures in a window. The first failure began it. */
export interface FailureWindow {
  readonly count: number;
  readonly leftMs: number;
}

export interface FailureWindows {
  read(key: string): MaybePromise<FailureWindow>;
  add(key: string): Promise<unknown>;
  forget(key: string): Promise<unknown>;
}

/** Maximum number of keys, about 20 MB. */
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

/** Counts failures of all instances together; while Redis does not respond, each instance counts separately. */
export class RedisFailureWindows implements FailureWindows {
  private readonly fallback: MemoryFailureWindows;

  constructor(
    private readonly link: RedisLink,
    private readonly windowMs: number,
    private readonly keyPrefix = 'items:failures:',
  ) {
    this.fallback = new MemoryFailureWindows(windowMs);
  }

  async read(key: string): Promise<FailureWindow> {
    const name = this.keyPrefix + key;
    const read = await this.link.ask((redis) => Promise.all([redis.get(name), redis.pttl(name)]));
    if (read === undefined) return this.fallback.read(key);
    const [count, leftMs] = read;
    return { count: Number(count ?? 0), leftMs: Math.max(0, leftMs) };
  }

  async add(key: string): Promise<unknown> {
    const hit = [this.keyPrefix + key, this.windowMs, Number.MAX_SAFE_INTEGER] as const;
    return (await this.link.ask((redis) => redis.hitAll(1, ...hit))) ?? this.fallback.add(key);
  }

  async forget(key: string): Promise<unknown> {
    await this.fallback.forget(key);
    return this.link.ask((redis) => redis.del(this.keyPrefix + key));
  }
}
