import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

import { pin } from '../pin.js';

/** @typedef {import('./generator.js').Loaded} Loaded results of a load. */
/**
 * @typedef {{ address: string, requests: string[], expected: number }} Target the requests for a server, sent in
 * rotation, and the expected status.
 */

export class LoadProcess {
  constructor() {
    this.child = fork(fileURLToPath(new URL('generator.js', import.meta.url)));
    pin(this.child.pid, 'load');
    // The generator waits in a busy loop, on the core that PostgreSQL uses, too.
    if (this.child.pid !== undefined) setPriority(this.child.pid, 10);
  }

  /** @param {Target} target @param {number} connections */
  async open({ address, requests, expected }, connections) {
    await this.#ask({ type: 'open', port: Number(new URL(address).port), connections, expected, requests });
  }

  /**
   * @param {{ seconds: number, atLeast?: number, count?: number, perSecond?: number }} load duration, or `count`
   * requests if they finish earlier. On a busy machine it continues until `atLeast` requests. Sends as fast as
   * possible, or `perSecond`.
   * @returns {Promise<Loaded>}
   */
  load(load) {
    return this.#ask({ type: 'load', ...load });
  }

  async close() {
    await this.#ask({ type: 'close' });
  }

  stop() {
    this.child.kill();
  }

  /** @param {object} message */
  async #ask(message) {
    this.child.send(message);
    const [{ result, error }] = await once(this.child, 'message');
    if (error !== undefined) throw new Error(error);
    return result;
  }
}
