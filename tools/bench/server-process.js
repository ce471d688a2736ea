import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const probe = new URL('cpu-probe.js', import.meta.url).href;

/** A server under measurement, in a process of its own. */
export class ServerProcess {
  /**
   * @param {string} script
   * @param {string[]} args
   * @param {NodeJS.ProcessEnv} env
   */
  constructor(script, args, env) {
    this.child = fork(script, args, {
      env,
      execArgv: ['--import', probe],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
  }

  /** Where the baseline says that it listens. */
  async address() {
    const [message] = await once(this.child, 'message');
    return message.address;
  }

  /** CPU time of the process so far, in microseconds. */
  async cpuMicros() {
    this.child.send('cpu');
    const [message] = await once(this.child, 'message');
    return message.cpuMicros;
  }

  async stop() {
    if (this.child.exitCode !== null) return;
    this.child.kill('SIGTERM');
    await once(this.child, 'exit');
  }
}

/** @param {string} path relative to the workspace. */
export function workspacePath(path) {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
