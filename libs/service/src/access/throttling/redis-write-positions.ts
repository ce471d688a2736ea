import { randomUUID } from 'node:crypto';
import type { RedisLink } from '@items/throttling';

const KEPT_MS = 10_000;
const UNSURE_MS = 5000;

export interface WritePositionOptions {
  readonly keptMs?: number;
  /** Positions are unknown for this time after a possible loss. Default: 5 s. */
  readonly unsureMs?: number;
  readonly keyPrefix?: string;
}

/**
 * The latest log position that each caller has written, shared by all instances. Redis may lose positions before a new
 * connection, or before the first instance renames the store.
 */
export class RedisWritePositions {
  private readonly keptMs: number;
  private readonly unsureMs: number;
  private readonly prefix: string;
  private readonly nameKey: string;
  private name: string | undefined;
  private connections = 0;
  private sureFromMs = 0;

  constructor(
    private readonly link: RedisLink,
    { keptMs = KEPT_MS, unsureMs = UNSURE_MS, keyPrefix = 'items:written:' }: WritePositionOptions = {},
  ) {
    this.keptMs = keptMs;
    this.unsureMs = unsureMs;
    this.prefix = keyPrefix;
    this.nameKey = `${this.prefix}name`;
  }

  /**
   * Keeps the later position in text order.
   * @returns Whether Redis responded.
   */
  async note(caller: string, position: string): Promise<boolean> {
    const key = this.keyOf(caller);
    return (await this.link.ask((redis) => redis.raise(key, position, this.keptMs))) !== undefined;
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
    this.sureFromMs = performance.now() + this.unsureMs;
  }

  /** @returns Undefined if another instance has just set the name. */
  private async named(): Promise<string | undefined> {
    const name = randomUUID();
    const given = await this.link.ask(async (redis) => (await redis.set(this.nameKey, name, 'NX')) ?? '');
    return given === 'OK' ? name : undefined;
  }

  private keyOf(caller: string): string {
    return `${this.prefix}by:${caller}`;
  }
}
