import { setTimeout as sleep } from 'node:timers/promises';

const SORTS = ['name', '-price', '-updated_at', 'created_at'];
const PAGE = 50;
const PAUSE_MS = 10;
const RETRY_MS = 100;
const MOST_TRIES = 600;

/** @typedef {{ name: string, price: number, created_at: string, updated_at: string }} Row */

/**
 * Clients that walk over the items of the writers. Each walk must return, exactly once and in order, each item that
 * was acknowledged before the walk began, and no item that was requested after its first page. SPEC §4
 */
export class Walkers {
  walks = 0;
  /** Violations, as sentences. @type {string[]} */
  faults = [];
  #isStopped = false;

  /** @param {import('./client.js').PlainClient} client @param {import('./tally.js').Tally} tally @param {import('./writers.js').Writers} writers */
  constructor(client, tally, writers) {
    this.client = client;
    this.tally = tally;
    this.writers = writers;
  }

  /** @param {number} count */
  start(count) {
    this.done = Promise.all(
      Array.from({ length: count }, async (_, walker) => {
        for (let n = walker; !this.#isStopped; n += 1) await this.#walk(SORTS[n % SORTS.length] ?? 'name');
      }),
    );
  }

  async stop() {
    this.#isStopped = true;
    await this.done;
  }

  /** Runs a last walk after the writers have ended. @returns the names of all items. */
  async last() {
    const rows = await this.#pages('name', () => undefined);
    if (rows === undefined) throw new Error(`What is there in the end cannot be read: ${this.faults.join(', ')}`);
    return rows.map(({ name }) => name);
  }

  /** @param {string} sort */
  async #walk(sort) {
    const before = new Set(this.writers.acknowledged.keys());
    /** @type {Set<string>} */
    let begun = new Set();
    const rows = await this.#pages(sort, () => (begun = new Set(this.writers.begun)));
    if (rows === undefined) return;
    this.walks += 1;
    const names = rows.map(({ name }) => name);
    const seen = new Set(names);
    const fault = (/** @type {string} */ what) => this.faults.push(`a walk by ${sort}: ${what}`);
    if (seen.size < names.length) fault(`${names.length - seen.size} rows twice`);
    const missing = [...before].filter((name) => !seen.has(name));
    if (missing.length > 0) fault(`${missing.length} rows missing, such as "${missing[0]}"`);
    const early = names.filter((name) => !begun.has(name));
    if (early.length > 0) fault(`${early.length} rows that were made after its first page, such as "${early[0]}"`);
    if (!isSorted(rows, sort)) fault('not in order');
  }

  /**
   * @param {string} sort
   * @param {() => void} onFirst called after the first page.
   * @returns {Promise<Row[] | undefined>} undefined if a page was not served.
   */
  async #pages(sort, onFirst) {
    /** @type {Row[]} */
    const rows = [];
    /** @type {string | undefined} */
    let cursor = '';
    while (cursor !== undefined) {
      const from = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page = await this.#page(
        `/items?color=${encodeURIComponent(this.writers.color)}&sort=${sort}&limit=${PAGE}${from}`,
      );
      if (page === undefined) return undefined;
      if (cursor === '') onFirst();
      rows.push(...page.items);
      cursor = page.next_cursor;
      await sleep(PAUSE_MS);
    }
    return rows;
  }

  /**
   * Requests a page until it is served, refused or no longer needed.
   * @param {string} path
   * @returns {Promise<any>}
   */
  async #page(path) {
    for (let tries = 0; tries === 0 || (tries < MOST_TRIES && !this.#isStopped); tries += 1) {
      const outcome = await this.client.send('GET', path);
      if (this.tally.count(outcome, [200])) return outcome.body;
      if (outcome.status === 400) this.faults.push(`a page was refused: ${outcome.body?.error}`);
      if (outcome.status === 400) return undefined;
      await sleep(RETRY_MS);
    }
    return undefined;
  }
}

/** @param {readonly Record<string, any>[]} rows @param {string} sort */
function isSorted(rows, sort) {
  const field = sort.replace('-', '');
  const values = rows.map((row) => row[field]);
  const ordered = sort.startsWith('-') ? values.toReversed() : values;
  return ordered.every((value, index) => index === 0 || ordered[index - 1] <= value);
}
