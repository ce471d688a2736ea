import { randomUUID } from 'node:crypto';
import type { RedisLink } from '@items/throttling';

const DEFAULTS = {
  keptMs: 10_000,
  /** Positions are unknown for this time after a possible loss. */
  unsureMs: 5000,
  keyPrefix: 'items:written:',
};

/**
 * The latest log position that each caller has written, shared by all instances. Redis may lose positions before a new
 * connection, or before the first instance renames the store.
 */
export class RedisWritePositions {
  private readonly options: typeof DEFAULTS;
  private readonly nameKey: string;
  private name: string | undefined;
  private connections = 0;
  private sureFromMs = 0;

  constructor(
    private readonly link: RedisLink,
    options: Partial<typeof DEFAULTS> = {},
  ) {
    this.options = { ...DEFAULTS, ...options };
    this.nameKey = `${this.options.keyPrefix}name`;
  }

  /**
   * Keeps the later position in text order.
   * @returns Whether Redis responded.
   */
  async note(caller: string, position: string): Promise<boolean> {
    const key = this.keyOf(caller);
    return (await this.link.ask((redis) => redis.raise(key, position, this.options.keptMs))) !== undefined;
  }

  /** @returns An empty text without a stored position. Undefined if positions are unknown. */
  async latest(caller: string): Promise<string | undefined> {
    if (this.link.connections !== this.connections) this.doubt();
    const found = await this.link.ask((redis) => redis.mget(this.nameKey, this.keyOf(caller)));
    const [name, position] = found ?? [];
    if (typeof name !== 'string' || name !== this.name) this.doubt();
    if (found !== undefined) this.name = name ?? (await this.named());
    return performance.now() < this.sureFromMs ? undefined : (position ?? '');
  }

  private doubt(): void {
    this.connections = this.link.connections;
    this.sureFromMs = performance.now() + this.options.unsureMs;
  }

  /** @returns Undefined if another instance has just set the name. */
  private async named(): Promise<string | undefined> {
    const name = randomUUID();
    const given = await this.link.ask(async (redis) => (await redis.set(this.nameKey, name, 'NX')) ?? '');
    return given === 'OK' ? name : undefined;
  }

  private keyOf(caller: string): string {
    return `${this.options.keyPrefix}by:${caller}`;
  }
}
