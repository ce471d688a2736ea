import type { FailureWindow, FailureWindows } from './failure-windows.js';
import { MemoryFailureWindows } from './memory-failure-windows.js';
import type { RedisLink } from './redis-link.js';

/** Counts failures over all instances; while Redis does not respond, in each instance. */
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
    return (await this.link.ask((redis) => redis.hit(this.keyPrefix + key, this.windowMs))) ?? this.fallback.add(key);
  }

  async forget(key: string): Promise<unknown> {
    await this.fallback.forget(key);
    return this.link.ask((redis) => redis.del(this.keyPrefix + key));
  }
}
