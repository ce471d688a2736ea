import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';

const END_LIMIT_MS = 25_000;

/**
 * @typedef {object} ProgramPlan
 * @property {string} name
 * @property {string} command
 * @property {readonly string[]} args
 * @property {Record<string, string | undefined>} [env] its whole environment, apart from PATH.
 * @property {string} cwd
 * @property {{ uid: number, gid: number }} [as] another user that runs it.
 * @property {NodeJS.Signals} [endSignal] signal that requests its end. Default: SIGTERM.
 */

/** A process of the topology that writes its output to a file and can be restarted. */
export class Program {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;

  /** @param {ProgramPlan} plan @param {string} logFile */
  constructor(plan, logFile) {
    this.plan = plan;
    this.logFile = logFile;
  }

  /** @param {Record<string, string>} [env] for this start only. */
  start(env = {}) {
    const { command, args, cwd, as } = this.plan;
    const output = openSync(this.logFile, 'a');
    // A separate process group: Ctrl-C in a terminal then reaches only the parent process, which ends this one.
    this.#child = spawn(command, args, {
      cwd,
      env: { PATH: process.env['PATH'], ...this.plan.env, ...env },
      stdio: ['ignore', output, output],
      detached: true,
      ...as,
    });
    closeSync(output);
    this.#child.on('error', () => undefined);
  }

  get pid() {
    return this.#child?.pid ?? Number.NaN;
  }

  get isRunning() {
    return this.#child?.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Returns the end of its output. */
  log() {
    return readFileSync(this.logFile, 'utf8').slice(-1500);
  }

  /** @param {NodeJS.Signals} signal */
  signal(signal) {
    this.#child?.kill(signal);
  }

  /** Kills the process without cleanup. */
  async kill() {
    await this.#endedBy('SIGKILL');
  }

  /** Ends the process gracefully, and kills it after 25 s. */
  async end() {
    const limit = setTimeout(() => this.signal('SIGKILL'), END_LIMIT_MS);
    // A paused process handles signals only after it continues.
    this.signal('SIGCONT');
    await this.#endedBy(this.plan.endSignal ?? 'SIGTERM');
    clearTimeout(limit);
  }

  /** @param {NodeJS.Signals} signal */
  async #endedBy(signal) {
    if (this.#child === undefined || !this.isRunning) return;
    const ended = once(this.#child, 'exit');
    this.signal(signal);
    await ended;
  }
}
