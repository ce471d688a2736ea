import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { join } from 'node:path';

import { pin } from '../pin.ts';
import type { Load, Loaded } from './generator.ts';

/** The requests for a server, sent in rotation, and the expected status. */
export interface Target {
  address: string;
  requests: string[];
  expected: number;
}

export class LoadProcess {
  readonly #child = fork(join(import.meta.dirname, 'generator.ts'));

  constructor() {
    pin(this.#child.pid, 'load');
    // Lower the priority, because the generator waits in a busy loop on a core that PostgreSQL uses too.
    if (this.#child.pid !== undefined) setPriority(this.#child.pid, 10);
  }

  async open({ address, requests, expected }: Target, connections: number) {
    await this.#ask({ type: 'open', port: Number(new URL(address).port), connections, expected, requests });
  }

  load(load: Load): Promise<Loaded> {
    return this.#ask({ type: 'load', ...load });
  }

  async close() {
    await this.#ask({ type: 'close' });
  }

  stop() {
    this.#child.kill();
  }

  async #ask(message: object) {
    this.#child.send(message);
    const [{ result, error }] = await once(this.#child, 'message');
    if (error !== undefined) throw new Error(error);
    return result;
  }
}
