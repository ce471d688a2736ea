import { spawn } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { stopWithParent } from './stop-with-parent.js';

/** @type {readonly NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs the script of this process with another Node, and exits with the same status. Forwards signals; a kill of this
 * process stops the other process.
 * @param {string} node path of its executable.
 * @returns {Promise<never>}
 */
export async function restartWithNode(node) {
  const PATH = [dirname(node), process.env.PATH].join(delimiter);
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], {
    // The IPC channel closes when this process ends for any reason; `stopWithParent` of the child notices this.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PATH, npm_node_execpath: node },
  });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  stopWithParent();
  child.once('error', (error) => {
    console.error(error.message);
    process.exit(1);
  });
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
  return new Promise(() => undefined);
}
