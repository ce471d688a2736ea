import { setTimeout as sleep } from 'node:timers/promises';

import { PlainClient } from '@items/testing';

import { Tally } from './tally.js';
import { Walkers } from './walkers.js';
import { Writers } from './writers.js';

let runs = 0;
const running = new Set<Load>();

/** Ends loads that are still running after a failed test. */
export async function endLoads(): Promise<void> {
  await Promise.all([...running].map((load) => load.end()));
}

export interface Findings {
  readonly requests: number;
  readonly failed: number;
  /** Number of failures by kind, as text. */
  readonly failures: string;
  /** A time of `performance.now()`. */
  readonly lastFailureMs: number;
  readonly longestMs: number;
  /** Number of acknowledged writes. */
  readonly acknowledged: number;
  readonly walks: number;
  /** Acknowledged writes that are lost or duplicated, and walks that are not exact. */
  readonly violations: string[];
}

export interface Clients {
  readonly writers?: number;
  readonly walkers?: number;
  readonly readers?: number;
}

/** Writers, walkers and readers that send requests to one address. */
export class Load {
  readonly tally = new Tally();
  readonly writers: Writers;
  private readonly walkers: Walkers;
  private readonly client: PlainClient;
  private reading: Promise<unknown> | undefined;
  private isStopped = false;

  constructor(address: string, key: string) {
    runs += 1;
    this.client = new PlainClient(address, key);
    this.writers = new Writers(this.client, this.tally, `run-${runs}`);
    this.walkers = new Walkers(this.client, this.tally, this.writers);
  }

  start({ writers = 6, walkers = 2, readers = 4 }: Clients = {}): this {
    running.add(this);
    this.writers.start(writers);
    this.walkers.start(walkers);
    this.reading = Promise.all(Array.from({ length: readers }, () => this.read()));
    return this;
  }

  /** Ends the load, and compares the items of the service with the acknowledged writes. */
  async stop(): Promise<Findings> {
    await this.end();
    const { requests, failed, lastFailureMs, longestMs } = this.tally;
    const lost = await this.compare();
    return {
      requests,
      failed,
      failures: this.tally.failuresInWords(),
      lastFailureMs,
      longestMs,
      acknowledged: this.writers.acknowledged.size,
      walks: this.walkers.walks,
      violations: [...lost, ...this.walkers.violations],
    };
  }

  /** Ends the load without a comparison. */
  async end(): Promise<void> {
    running.delete(this);
    this.isStopped = true;
    await Promise.all([this.writers.stop(), this.walkers.stop(), this.reading]);
  }

  private async compare(): Promise<string[]> {
    const names = await new Walkers(this.client, new Tally(), this.writers).last();
    const there = new Set(names);
    const lost = [...this.writers.acknowledged.keys()].filter((name) => !there.has(name));
    const violations = lost.length === 0 ? [] : [`${lost.length} acknowledged writes lost, such as "${lost[0]!}"`];
    if (there.size < names.length) violations.push(`${names.length - there.size} writes done twice`);
    const strange = names.filter((name) => !this.writers.begun.has(name));
    if (strange.length > 0) violations.push(`${strange.length} items that no request made`);
    return violations;
  }

  private async read(): Promise<void> {
    while (!this.isStopped) {
      const { known } = this.writers;
      const item = known[Math.floor(Math.random() * known.length)];
      if (item !== undefined) {
        const outcome = await this.client.send('GET', `/items/${item.id}`);
        if (outcome.status === 404) this.walkers.violations.push(`"${item.name}" was acknowledged, and is not there`);
        if (!this.tally.count(outcome, [200])) await sleep(100);
      }
      await sleep(20);
    }
  }
}
