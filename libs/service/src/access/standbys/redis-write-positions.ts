import { randomUUID } from 'node:crypto';
import type { RedisLink } from '@items/throttling';

const DEFAULTS = {
  retentionMs: 10_000,
  /**
   * Time for which {@link RedisWritePositions.latest} returns undefined after a possible loss. Longer than the lag of
   * any standby that serves reads.
   */
  uncertainMs: 5000,
  keyPrefix: 'items:written:',
};

/**
 * Shares the WAL position of each caller's latest write, so that callers read their own writes on a standby. An
 * instance stores a random id in Redis. Redis may have lost positions if the id is missing or has changed, or after a
 * new connection.
 */
export class RedisWritePositions {
  private readonly options: typeof DEFAULTS;
  private readonly storeIdKey: string;
  private storeId: string | undefined;
  private connections = 0;
  private certainFromMs = 0;

  constructor(
    private readonly link: RedisLink,
    options: Partial<typeof DEFAULTS> = {},
  ) {
    this.options = { ...DEFAULTS, ...options };
    this.storeIdKey = `${this.options.keyPrefix}name`;
  }

  /**
   * Stores the position if it is later than the stored position, compared as text.
   * @returns False if Redis did not respond.
   */
  async record(caller: string, position: string): Promise<boolean> {
    const key = this.keyOf(caller);
    return (await this.link.ask((redis) => redis.setMax(key, position, this.options.retentionMs))) !== undefined;
  }

  /**
   * @returns The WAL position of the caller's latest write; an empty string if none is stored. Undefined while Redis
   * may have lost positions.
   */
  async latest(caller: string): Promise<string | undefined> {
    if (this.link.connections !== this.connections) this.markUncertain();
    const found = await this.link.ask((redis) => redis.mget(this.storeIdKey, this.keyOf(caller)));
    const [storeId, position] = found ?? [];
    if (typeof storeId !== 'string' || storeId !== this.storeId) this.markUncertain();
    if (found !== undefined) this.storeId = storeId ?? (await this.claimStoreId());
    return performance.now() < this.certainFromMs ? undefined : (position ?? '');
  }

  private markUncertain(): void {
    this.connections = this.link.connections;
    this.certainFromMs = performance.now() + this.options.uncertainMs;
  }

  /** @returns Undefined if another instance has just stored an id, or Redis did not respond. */
  private async claimStoreId(): Promise<string | undefined> {
    const storeId = randomUUID();
    const reply = await this.link.ask(async (redis) => (await redis.set(this.storeIdKey, storeId, 'NX')) ?? '');
    return reply === 'OK' ? storeId : undefined;
  }

  private keyOf(caller: string): string {
    return `${this.options.keyPrefix}by:${caller}`;
  }
}
