import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { pin } from './pin.js';

const probe = new URL('cpu-probe.js', import.meta.url).href;

/** A server under test, in a separate process. */
export class ServerProcess {
  /**
   * @param {string} script
   * @param {string[]} args
   * @param {NodeJS.ProcessEnv} env
   * @param {{ node?: string, imports?: string[] }} [options] `node`: the executable; default: the current one.
   */
  constructor(script, args, env, { node = process.execPath, imports = [] } = {}) {
    this.child = fork(script, args, {
      env,
      execPath: node,
      execArgv: [probe, ...imports].flatMap((module) => ['--import', module]),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    pin(this.child.pid, 'server');
  }

  /** Waits for the address that the baseline sends. */
  async address() {
    const message = await this.#message();
    return message.address;
  }

  /** CPU time of the process so far, in microseconds. */
  async cpuMicros() {
    return (await this.use()).cpuMicros;
  }

  /** @returns {Promise<{ cpuMicros: number, rssBytes: number }>} CPU time so far, and current memory. */
  async use() {
    this.child.send('use');
    return this.#message();
  }

  async stop() {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGTERM');
    await once(this.child, 'exit');
  }

  /** @throws {Error} if the process ends first. */
  async #message() {
    const end = new AbortController();
    const ended = once(this.child, 'exit', { signal: end.signal }).then(([code]) => {
      throw new Error(`A server under measurement ended with ${code}.`);
    });
    try {
      const [message] = await Promise.race([once(this.child, 'message'), ended]);
      return message;
    } finally {
      ended.catch(() => {});
      end.abort();
    }
  }
}

/** @param {string} path relative to the workspace. */
export function workspacePath(path) {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
