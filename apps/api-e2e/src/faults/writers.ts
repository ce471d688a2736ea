import { setTimeout as sleep } from 'node:timers/promises';

import type { PlainClient } from '@items/testing';

import type { Tally } from './tally.js';

const PAUSE_MS = 20;
/** Delay after a failure. Shorter than Retry-After, to notice quickly when a fault ends. */
const RETRY_MS = 100;

interface Acknowledged {
  readonly id: string;
  readonly name: string;
}

/** Clients that write items of one colour, with unique names. */
export class Writers {
  /** By name. */
  readonly acknowledged = new Map<string, Acknowledged>();
  /** Acknowledged items as a list, for random access. */
  readonly known: Acknowledged[] = [];
  /** Names of items that may exist, acknowledged or not. */
  readonly begun = new Set<string>();
  private isStopped = false;
  private done: Promise<unknown> | undefined;

  constructor(
    private readonly client: PlainClient,
    private readonly tally: Tally,
    readonly color: string,
  ) {}

  /** @param count number of concurrent writers. */
  start(count: number): void {
    this.done = Promise.all(Array.from({ length: count }, (_, writer) => this.write(writer)));
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.done;
  }

  private async write(writer: number): Promise<void> {
    for (let n = 0; !this.isStopped; n += 1) {
      const name = `${this.color}-${writer}-${n}`;
      const id = await this.create(name, n);
      if (id === undefined) return;
      // Also replace every third item, so that walks by price and time see changes.
      if (n % 3 === 0) await this.replace(id, name, n);
      await sleep(PAUSE_MS);
    }
  }

  /** Retries a creation with the same Idempotency-Key until it is acknowledged. */
  private async create(name: string, n: number): Promise<string | undefined> {
    const json = { name, color: this.color, price: n };
    this.begun.add(name);
    while (!this.isStopped) {
      const outcome = await this.client.send('POST', '/items', { json, headers: { 'idempotency-key': name } });
      if (this.tally.count(outcome, [201])) {
        const item = { id: String(outcome.body?.id), name };
        this.acknowledged.set(name, item);
        this.known.push(item);
        return item.id;
      }
      await sleep(RETRY_MS);
    }
    return undefined;
  }

  private async replace(id: string, name: string, n: number): Promise<void> {
    const json = { name, color: this.color, price: -n + 1e6 };
    const outcome = await this.client.send('PUT', `/items/${id}`, { json });
    if (!this.tally.count(outcome, [200])) await sleep(RETRY_MS);
  }
}
