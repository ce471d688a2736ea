import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { relative } from 'node:path';

import { watchFolders } from './watch-folders.js';

/** Commands of a service under development. Each is a list of arguments of `node`. */
export interface DevelopmentPlan {
  readonly folder: string;
  readonly sources: readonly string[];
  /** Compiles without checking types. */
  readonly compile: readonly string[];
  readonly check: readonly string[];
  readonly main: string;
}

/** Delay after the last change: one save can change several files, and an editor can write a file twice. */
const QUIET_MS = 100;
/** The service is killed after this time, because a blocked event loop prevents a stop. */
const STOP_LIMIT_MS = 10_000;

const FOLLOW_RUNNER = new URL('./follow-runner.js', import.meta.url).href;

/** Restart without delays, which only production needs. */
const SETTINGS = { STOP_DELAY: '0', WARM_UP_MS: '0', NODE_COMPILE_CACHE: 'node_modules/.cache/node' };

export class DevelopmentRunner {
  private service: ChildProcess | undefined;
  private readonly compilers = new Set<ChildProcess>();
  private quiet: NodeJS.Timeout | undefined;
  private isChanged = false;
  private isUpdating = false;
  private isEnding = false;

  constructor(private readonly plan: DevelopmentPlan) {}

  /** Starts the service. Resolves after SIGINT, SIGTERM or SIGHUP, when all processes have ended. */
  async run(): Promise<void> {
    const { folder, sources } = this.plan;
    const endWatch = watchFolders(sources, (path) => {
      this.onChange(relative(folder, path));
    });
    const settings = watch(folder, (_event, name) => {
      if (name === '.env') this.onChange(name);
    });
    void this.update();
    // Keep the listeners: npm repeats the signal of the terminal, and the duplicate must not kill this process.
    await new Promise((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, resolve);
    });
    this.isEnding = true;
    endWatch();
    settings.close();
    clearTimeout(this.quiet);
    await Promise.all([this.stopCompilers(), this.stopService()]);
  }

  private onChange(path: string): void {
    if (this.quiet === undefined) print(`${path} has changed.`);
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => {
      this.quiet = undefined;
      void this.update();
    }, QUIET_MS);
  }

  /** Restarts the service until it runs the latest change. */
  private async update(): Promise<void> {
    this.isChanged = true;
    if (this.isUpdating) return;
    this.isUpdating = true;
    while (this.isChanged) {
      this.isChanged = false;
      await this.restart();
    }
    this.isUpdating = false;
  }

  /** Whether a newer change, or the end of the runner, makes this restart obsolete. */
  private isStale(): boolean {
    return this.isChanged || this.quiet !== undefined || this.isEnding;
  }

  private async restart(): Promise<void> {
    await this.stopCompilers();
    const [status] = (await once(this.startCompiler(this.plan.compile), 'exit')) as [number | null];
    if (this.isStale()) return;
    if (status !== 0) {
      const fate = isRunning(this.service)
        ? 'The service still runs without this change.'
        : 'The service does not run.';
      print(`The compiler has failed. ${fate} The next change starts it again.`);
      return;
    }
    await this.stopService();
    if (this.isStale()) return;
    this.startService();
    const check = this.startCompiler(this.plan.check);
    // Lower the priority of the type check, because it must not delay the start.
    if (check.pid !== undefined) setPriority(check.pid, constants.priority.PRIORITY_LOW);
    check.once('exit', (found: number | null) => {
      if (found !== null && found !== 0) print('The types have errors. The service runs nevertheless.');
    });
  }

  private startService(): void {
    const { folder, main } = this.plan;
    const service = spawn(process.execPath, ['--import', FOLLOW_RUNNER, main], {
      cwd: folder,
      env: { ...SETTINGS, ...process.env },
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
    this.service = service;
    service.once('exit', (status, signal) => {
      if (service === this.service && !this.isEnding)
        print(`The service has ended (${signal ?? `status ${status}`}). The next change starts it again.`);
    });
  }

  private async stopService(): Promise<void> {
    const { service } = this;
    this.service = undefined;
    if (!isRunning(service)) return;
    const ended = once(service, 'exit');
    if (service.connected) service.disconnect();
    const limit = setTimeout(() => {
      print(`The service has not stopped within ${STOP_LIMIT_MS / 1000} s, and is killed.`);
      service.kill('SIGKILL');
    }, STOP_LIMIT_MS);
    await ended;
    clearTimeout(limit);
  }

  private startCompiler(args: readonly string[]): ChildProcess {
    const compiler = spawn(process.execPath, args, { cwd: this.plan.folder, stdio: 'inherit' });
    this.compilers.add(compiler);
    return compiler.once('exit', () => this.compilers.delete(compiler));
  }

  private async stopCompilers(): Promise<void> {
    await Promise.all(
      [...this.compilers].map((compiler) => {
        compiler.kill();
        return once(compiler, 'exit');
      }),
    );
  }
}

function isRunning(service: ChildProcess | undefined): service is ChildProcess {
  return service?.exitCode === null && service.signalCode === null;
}

function print(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}
