import { setTimeout as sleep } from 'node:timers/promises';

import { PlainClient } from '../faults/client.js';

/** @typedef {import('./linearize.js').Operation} Operation */

/** Number of operations on a member after which a client creates a new one: the search grows with it. */
const OPERATIONS = 60;
/** Members that the clients share at a time, so that they meet. */
const SHARED = 4;
const RETRY_MS = 100;

/**
 * A member and what happened to it.
 * @typedef {object} Member
 * @property {string} id
 * @property {Operation[]} operations
 * @property {Map<string, string>} tags values by entity tag.
 * @property {Map<number, { at?: string | undefined, isGone: boolean, ended: number }[]>} seen by client.
 */

/** Returns numbers from 0 to 1 that follow from a seed. @param {number} seed */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Clients that work on shared members of one colour, and record each operation with its time and outcome. */
export class Clients {
  /** @type {Member[]} */
  members = [];
  /** Creations whose outcome is not known. @type {Operation[]} */
  unknownCreations = [];
  /** @type {{ total: number, begun: number, ended: number }[]} */
  totals = [];
  /** @type {string[]} */
  problems = [];
  requests = 0;
  unanswered = 0;
  #isStopped = false;
  #values = 0;

  /**
   * @param {object} options
   * @param {readonly string[]} options.addresses of the instances.
   * @param {readonly string[]} options.keys of the clients, one for each.
   * @param {string} options.color of the members of this run.
   * @param {number} options.seed
   * @param {boolean} options.readsStandbys whether reads may be served by standbys, which only promise sessions.
   */
  constructor({ addresses, keys, color, seed, readsStandbys }) {
    this.color = color;
    this.readsStandbys = readsStandbys;
    this.clients = keys.map((key) => addresses.map((address) => new PlainClient(address, key)));
    this.random = keys.map((_, n) => randomFrom(seed + n));
  }

  start() {
    this.running = Promise.all(this.clients.map((_, n) => this.#work(n)));
  }

  async stop() {
    this.#isStopped = true;
    await this.running;
    for (const client of this.clients.flat()) client.close();
  }

  /** @param {number} n */
  async #work(n) {
    const random = this.random[n] ?? Math.random;
    while (!this.#isStopped) {
      const open = this.members.filter(({ operations }) => operations.length < OPERATIONS).slice(-SHARED);
      const member = open[Math.floor(random() * open.length)];
      if (member === undefined || (open.length < SHARED && random() < 0.2)) await this.#create(n);
      else await this.#use(n, member, random());
      await sleep(random() * 10);
    }
  }

  /** @param {number} n @param {Member} member @param {number} dice */
  async #use(n, member, dice) {
    if (dice < 0.4) await this.#read(n, member);
    else if (dice < 0.62) await this.#write(n, member, 'replace');
    else if (dice < 0.93)
      await this.#write(n, member, 'replace', [...member.tags].at(-1 - (Math.floor(dice * 1000) % 2)));
    else if (dice < 0.98) await this.#total(n);
    else await this.#write(n, member, 'delete');
  }

  /** @param {number} n @param {string} method @param {string} path @param {object} [options] */
  async #send(n, method, path, options) {
    const of = this.clients[n] ?? [];
    const client = of[Math.floor((this.random[n]?.() ?? 0) * of.length)];
    if (client === undefined) throw new Error('There is no instance.');
    this.requests += 1;
    const begun = performance.now();
    const answer = await client.send(method, path, options);
    const ended = performance.now();
    if (answer.status === 0) {
      this.unanswered += 1;
      await sleep(RETRY_MS);
    }
    return { ...answer, begun, ended };
  }

  /** Repeats a creation with its Idempotency-Key until it is acknowledged, and sometimes once more. @param {number} n */
  async #create(n) {
    const value = this.#value();
    const options = { json: this.#body(value), headers: { 'idempotency-key': `${this.color}-${value}` } };
    /** @type {Operation} */
    const creation = { kind: 'create', value, outcome: 'unknown', begun: performance.now(), ended: Infinity };
    this.unknownCreations.push(creation);
    for (;;) {
      const answer = await this.#send(n, 'POST', '/items', options);
      if (answer.status === 201) {
        this.unknownCreations.splice(this.unknownCreations.indexOf(creation), 1);
        Object.assign(creation, { outcome: 'done', ended: answer.ended });
        const member = { id: String(answer.body.id), operations: [creation], tags: new Map(), seen: new Map() };
        this.#saw(n, member, answer);
        this.members.push(member);
        if ((this.random[n]?.() ?? 0) < 0.5) await this.#repeat(n, options, member.id);
        return;
      }
      if (this.#isStopped) return;
      if (![0, 408, 409, 429, 503].includes(answer.status)) this.problems.push(`a creation got ${answer.status}`);
      await sleep(RETRY_MS);
    }
  }

  /** @param {number} n @param {object} options @param {string} id */
  async #repeat(n, options, id) {
    const answer = await this.#send(n, 'POST', '/items', options);
    if (answer.status === 201 && answer.body.id !== id)
      this.problems.push(`the repetition of a creation created ${answer.body.id} beside ${id}`);
  }

  /** @param {number} n @param {Member} member */
  async #read(n, member) {
    const answer = await this.#send(n, 'GET', `/items/${member.id}`);
    if (answer.status !== 200 && answer.status !== 404) return;
    this.#saw(n, member, answer);
    if (this.readsStandbys) return;
    const { begun, ended } = answer;
    const value = answer.status === 200 ? { value: valueOf(answer.body) } : {};
    member.operations.push({ kind: 'read', outcome: 'done', begun, ended, ...value });
  }

  /**
   * @param {number} n
   * @param {Member} member
   * @param {'replace' | 'delete'} kind
   * @param {readonly [tag: string, value: string]} [expected]
   */
  async #write(n, member, kind, expected) {
    const value = kind === 'replace' ? this.#value() : undefined;
    const headers = expected === undefined ? {} : { 'if-match': expected[0] };
    const json = value === undefined ? {} : { json: this.#body(value) };
    /** @type {Operation} */
    const operation = {
      kind,
      outcome: 'unknown',
      begun: performance.now(),
      ended: Infinity,
      ...(value !== undefined && { value }),
      ...(expected && { expected: expected[1] }),
    };
    member.operations.push(operation);
    const method = kind === 'replace' ? 'PUT' : 'DELETE';
    const answer = await this.#send(n, method, `/items/${member.id}`, { headers, ...json });
    const outcome = OUTCOMES[answer.status];
    if (outcome !== undefined) Object.assign(operation, { outcome, ended: answer.ended, begun: answer.begun });
    else if (answer.status !== 0 || REFUSED.test(answer.reason ?? '')) {
      member.operations.splice(member.operations.indexOf(operation), 1);
      if (![0, 408, 409, 429].includes(answer.status)) this.problems.push(`${method} got ${answer.status}`);
    }
    if (outcome === 'done' || outcome === 'absent') this.#saw(n, member, answer);
  }

  /** @param {number} n */
  async #total(n) {
    const { status, body, begun, ended } = await this.#send(n, 'GET', `/items?color=${this.color}&per_page=1`);
    if (status === 200 && !this.readsStandbys) this.totals.push({ total: body.total, begun, ended });
  }

  /**
   * Notes the state that a client has seen, and checks that one entity tag stands for one value.
   * @param {number} n
   * @param {Member} member
   * @param {{ status: number, body: any, etag?: string | undefined, ended: number }} answer
   */
  #saw(n, member, { status, body, etag, ended }) {
    const seen = member.seen.get(n) ?? [];
    member.seen.set(n, seen);
    const isGone = status === 204 || status === 404;
    seen.push({ isGone, ended, ...(!isGone && { at: String(body.updated_at) }) });
    if (isGone || etag === undefined) return;
    const value = valueOf(body);
    const known = member.tags.get(etag) ?? value;
    if (known !== value) this.problems.push(`the tag ${etag} of ${member.id} stands for ${known} and for ${value}`);
    member.tags.set(etag, value);
  }

  #value() {
    this.#values += 1;
    return String(this.#values);
  }

  /** @param {string} value */
  #body(value) {
    return { name: `of ${this.color}`, color: this.color, price: Number(value) };
  }
}

/** Errors of a connection over which nothing was sent. */
const REFUSED = /^ECONNREFUSED$/;

/** Outcomes by status. @type {Readonly<Record<number, Operation['outcome']>>} */
const OUTCOMES = { 200: 'done', 204: 'done', 404: 'absent', 412: 'mismatch', 503: 'refused' };

/** @param {any} body */
function valueOf(body) {
  return String(Number(body.price));
}
