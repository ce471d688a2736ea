import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';

const END_LIMIT_MS = 25_000;

export interface ProgramPlan {
  name: string;
  command: string;
  args: readonly string[];
  /** The whole environment, apart from PATH. */
  env?: Record<string, string | undefined>;
  cwd: string;
  /** Another user to run it. */
  as?: { uid: number; gid: number };
  /** Signal that requests its end. Default: SIGTERM. */
  endSignal?: NodeJS.Signals;
}

/** A process of the topology that writes its output to a file and can be restarted. */
export class Program {
  readonly plan: ProgramPlan;
  readonly logFile: string;
  #child: ChildProcess | undefined;

  constructor(plan: ProgramPlan, logFile: string) {
    this.plan = plan;
    this.logFile = logFile;
  }

  /** Starts it, with an environment for this start only. */
  start(env: Record<string, string> = {}) {
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

  signal(signal: NodeJS.Signals) {
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

  async #endedBy(signal: NodeJS.Signals) {
    if (this.#child === undefined || !this.isRunning) return;
    const ended = once(this.#child, 'exit');
    this.signal(signal);
    await ended;
  }
}
