import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';

import { endAtExit } from '../servers/end-at-exit.js';

const END_LIMIT_MS = 25_000;
/**
 * A separate process group: Ctrl-C in a terminal then reaches only the parent process, which ends its children in
 * order. Jest gives tests no chance to do that.
 */
const IS_DETACHED = process.env['JEST_WORKER_ID'] === undefined;

export interface User {
  readonly uid: number;
  readonly gid: number;
}

export interface ProgramPlan {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Its whole environment, apart from PATH. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Another user that runs it. */
  readonly as?: User;
  /** Signal that requests its end. Default: SIGTERM. */
  readonly endSignal?: 'SIGQUIT';
}

/** A process of the topology that writes its output to a file and can be restarted. */
export class Program {
  private child: ChildProcess | undefined;

  constructor(
    readonly plan: ProgramPlan,
    readonly logFile: string,
  ) {}

  /** @param env for this start only. */
  start(env: Readonly<Record<string, string>> = {}): void {
    const { command, args, cwd, as, endSignal } = this.plan;
    const output = openSync(this.logFile, 'a');
    this.child = spawn(command, args, {
      cwd,
      env: { PATH: process.env['PATH'], ...this.plan.env, ...env },
      stdio: ['ignore', output, output],
      detached: IS_DETACHED,
      ...as,
    });
    closeSync(output);
    this.child.on('error', () => undefined);
    endAtExit(this.child, endSignal ?? 'SIGKILL');
  }

  get pid(): number {
    return this.child?.pid ?? Number.NaN;
  }

  get isRunning(): boolean {
    return this.child?.pid !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Returns the end of its output. */
  log(): string {
    return readFileSync(this.logFile, 'utf8').slice(-1500);
  }

  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /** Kills the process without cleanup. */
  async kill(): Promise<void> {
    await this.endBy('SIGKILL');
  }

  /** Ends the process gracefully, and kills it after 25 s. */
  async end(): Promise<void> {
    const limit = setTimeout(() => this.signal('SIGKILL'), END_LIMIT_MS);
    // A paused process handles signals only after it continues.
    this.signal('SIGCONT');
    await this.endBy(this.plan.endSignal ?? 'SIGTERM');
    clearTimeout(limit);
  }

  private async endBy(signal: NodeJS.Signals): Promise<void> {
    if (this.child === undefined || !this.isRunning) return;
    const ended = once(this.child, 'exit');
    this.signal(signal);
    await ended;
  }
}
