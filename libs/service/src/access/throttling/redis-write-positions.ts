import { randomUUID } from 'node:crypto';

import type { RedisLink } from '@items/throttling';

const KEPT_MS = 10_000;
const UNSURE_MS = 5000;

/** How positions are kept. */
export interface WritePositionOptions {
  /** How long each is kept, in milliseconds; 10 s where it is left out. */
  readonly keptMs?: number;
  /** How long nothing is known where positions may have been lost, in milliseconds; 5 s where it is left out. */
  readonly unsureMs?: number;
  readonly keyPrefix?: string;
}

/**
 * Where the latest write of each caller stands in the log of a database, for all instances. What Redis may have lost is not
 * known for a while: after each new connection, and where the name is another one that the first instance gives it.
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

  /** The greatest text is the latest position. @returns whether it is kept. */
  async note(caller: string, position: string): Promise<boolean> {
    const key = this.keyOf(caller);
    return (await this.link.ask((redis) => redis.raise(key, position, this.keptMs))) !== undefined;
  }

  /** @returns an empty text where there is none; undefined where that is not known. */
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

  /** @returns undefined where another instance has just given it a name. */
  private async named(): Promise<string | undefined> {
    const name = randomUUID();
    const given = await this.link.ask(async (redis) => (await redis.set(this.nameKey, name, 'NX')) ?? '');
    return given === 'OK' ? name : undefined;
  }

  private keyOf(caller: string): string {
    return `${this.prefix}by:${caller}`;
  }
}
