import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { pin } from './pin.ts';

export class ServerProcess {
  readonly child: ChildProcess;

  constructor(script: string, args: string[], env: NodeJS.ProcessEnv) {
    this.child = fork(script, args, {
      env,
      execArgv: ['--import', new URL('cpu-probe.ts', import.meta.url).href],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    pin(this.child.pid, 'server');
  }

  /** Waits for the address that the server sends. */
  async address() {
    const message = await this.#message();
    return message.address;
  }

  async cpuMicros() {
    return (await this.use()).cpuMicros;
  }

  async use(): Promise<{ cpuMicros: number; rssBytes: number }> {
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
