import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 20;
/** Delay after a failure. Shorter than Retry-After, to notice the end of a fault quickly. */
const RETRY_MS = 100;

/** An acknowledged item. @typedef {{ id: string, name: string }} Acknowledged */

/** Clients that write items of one colour, with unique names. */
export class Writers {
  /** @type {Map<string, Acknowledged>} by name. */
  acknowledged = new Map();
  /** Acknowledged items as a list, for random access. @type {Acknowledged[]} */
  known = [];
  /** Names of items that may exist, acknowledged or not. @type {Set<string>} */
  begun = new Set();
  #isStopped = false;

  /** @param {import('./client.js').PlainClient} client @param {import('./tally.js').Tally} tally @param {string} color */
  constructor(client, tally, color) {
    this.client = client;
    this.tally = tally;
    this.color = color;
  }

  /** @param {number} count number of concurrent writers. */
  start(count) {
    this.done = Promise.all(Array.from({ length: count }, (_, writer) => this.#write(writer)));
  }

  async stop() {
    this.#isStopped = true;
    await this.done;
  }

  /** @param {number} writer */
  async #write(writer) {
    for (let n = 0; !this.#isStopped; n += 1) {
      const name = `${this.color}-${writer}-${n}`;
      const id = await this.#create(name, n);
      if (id === undefined) return;
      // Also replace every third item, so that walks by price and time see changes.
      if (n % 3 === 0) await this.#replace(id, name, n);
      await sleep(PAUSE_MS);
    }
  }

  /**
   * Retries a creation with the same Idempotency-Key until it is acknowledged.
   * @param {string} name
   * @param {number} n
   */
  async #create(name, n) {
    const json = { name, color: this.color, price: n };
    this.begun.add(name);
    while (!this.#isStopped) {
      const outcome = await this.client.send('POST', '/items', { json, headers: { 'idempotency-key': name } });
      if (this.tally.count(outcome, [201])) {
        const item = { id: String(outcome.body.id), name };
        this.acknowledged.set(name, item);
        this.known.push(item);
        return item.id;
      }
      await sleep(RETRY_MS);
    }
    return undefined;
  }

  /** @param {string} id @param {string} name @param {number} n */
  async #replace(id, name, n) {
    const outcome = await this.client.send('PUT', `/items/${id}`, {
      json: { name, color: this.color, price: -n + 1e6 },
    });
    if (!this.tally.count(outcome, [200])) await sleep(RETRY_MS);
  }
}
