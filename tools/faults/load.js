import { setTimeout as sleep } from 'node:timers/promises';

import { PlainClient } from './client.js';
import { Tally } from './tally.js';
import { Walkers } from './walkers.js';
import { Writers } from './writers.js';

let runs = 0;
/** @type {Set<Load>} */
const running = new Set();

/** Ends loads that a failed fault has left running. */
export async function endLoads() {
  await Promise.all([...running].map((load) => load.end()));
}

/**
 * Results of a load.
 * @typedef {object} Findings
 * @property {number} requests
 * @property {number} failed
 * @property {string} failures by kind, as text.
 * @property {number} lastFailureMs as in `performance.now()`.
 * @property {number} longestMs
 * @property {number} acknowledged number of acknowledged writes.
 * @property {number} walks
 * @property {string[]} faults violations: an acknowledged write that is lost or duplicated, or a walk that is
 * not exact.
 */

/** Writers, walkers and readers that use one address. */
export class Load {
  #isStopped = false;

  /** @param {string} address @param {string} key */
  constructor(address, key) {
    runs += 1;
    this.tally = new Tally();
    this.client = new PlainClient(address, key);
    this.writers = new Writers(this.client, this.tally, `run-${runs}`);
    this.walkers = new Walkers(this.client, this.tally, this.writers);
    this.key = key;
    this.address = address;
  }

  /** @param {{ writers?: number, walkers?: number, readers?: number }} [counts] number of concurrent clients. */
  start({ writers = 6, walkers = 2, readers = 4 } = {}) {
    running.add(this);
    this.writers.start(writers);
    this.walkers.start(walkers);
    this.reading = Promise.all(Array.from({ length: readers }, () => this.#read()));
    return this;
  }

  /** Ends the load, and compares the items of the service with the acknowledged writes. @returns {Promise<Findings>} */
  async stop() {
    await this.end();
    const { requests, failed, lastFailureMs, longestMs } = this.tally;
    const lost = await this.#compare();
    return {
      requests,
      failed,
      failures: this.tally.failuresInWords(),
      lastFailureMs,
      longestMs,
      acknowledged: this.writers.acknowledged.size,
      walks: this.walkers.walks,
      faults: [...lost, ...this.walkers.faults],
    };
  }

  /** Ends the load without a comparison. */
  async end() {
    running.delete(this);
    this.#isStopped = true;
    await Promise.all([this.writers.stop(), this.walkers.stop(), this.reading]);
    this.client.close();
  }

  async #compare() {
    const client = new PlainClient(this.address, this.key);
    const names = await new Walkers(client, new Tally(), this.writers).last();
    client.close();
    const there = new Set(names);
    const lost = [...this.writers.acknowledged.keys()].filter((name) => !there.has(name));
    const faults = lost.length === 0 ? [] : [`${lost.length} acknowledged writes lost, such as "${lost[0]}"`];
    if (there.size < names.length) faults.push(`${names.length - there.size} writes done twice`);
    const strange = names.filter((name) => !this.writers.begun.has(name));
    if (strange.length > 0) faults.push(`${strange.length} items that no request made`);
    return faults;
  }

  async #read() {
    for (let n = 0; !this.#isStopped; n += 1) {
      const { known } = this.writers;
      const item = known[Math.floor(Math.random() * known.length)];
      if (item !== undefined) {
        const outcome = await this.client.send('GET', `/items/${item.id}`);
        if (outcome.status === 404) this.walkers.faults.push(`"${item.name}" was acknowledged, and is not there`);
        const served = this.tally.count(outcome, [200]);
        if (!served) await sleep(100);
      }
      await sleep(20);
    }
  }
}
