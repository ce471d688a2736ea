import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';

const END_LIMIT_MS = 25_000;

/**
 * What is run as a process.
 * @typedef {object} ProgramPlan
 * @property {string} name
 * @property {string} command
 * @property {readonly string[]} args
 * @property {Record<string, string | undefined>} [env] all that it sees of an environment, beside PATH.
 * @property {string} cwd
 * @property {{ uid: number, gid: number }} [as] who runs it, where that is another user.
 * @property {NodeJS.Signals} [endSignal] asks it to end; SIGTERM by default.
 */

/** A real process of the topology, which writes its output to a file, and can be started again after its end. */
export class Program {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;

  /** @param {ProgramPlan} plan @param {string} logFile */
  constructor(plan, logFile) {
    this.plan = plan;
    this.logFile = logFile;
  }

  /** @param {Record<string, string>} [env] for this start alone. */
  start(env = {}) {
    const { command, args, cwd, as } = this.plan;
    const output = openSync(this.logFile, 'a');
    // A group of its own: Ctrl-C in a terminal is for who started it, who ends it in its turn.
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

  /** The last that it has printed. */
  log() {
    return readFileSync(this.logFile, 'utf8').slice(-1500);
  }

  /** @param {NodeJS.Signals} signal */
  signal(signal) {
    this.#child?.kill(signal);
  }

  /** Without a chance to tidy up. */
  async kill() {
    await this.#endedBy('SIGKILL');
  }

  /** As an operator would; at the latest after 25 s. */
  async end() {
    const limit = setTimeout(() => this.signal('SIGKILL'), END_LIMIT_MS);
    // What was stopped for a while hears nothing before it goes on.
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
