import { spawn, type ChildProcess } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Variable with a test run's folder. Each process has a folder in it, so that none outlives the run. */
export const FOLDER_OF_APPS = 'TEST_FOLDER_OF_APPS';
const PID_FILE = 'pid';

export interface Ending {
  /** Null if a signal ended the process. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The built service as a child process that writes its output to a file. */
export class AppProcess {
  readonly ended: Promise<Ending>;
  /** Contains standard output and standard error, in order. */
  readonly logFile: string;
  private readonly folder = mkdtempSync(join(process.env[FOLDER_OF_APPS] ?? tmpdir(), 'items-app-'));
  private readonly child: ChildProcess;

  /**
   * @param env the whole environment of the process, except the variables that locate programs, modules and compiled
   *   code.
   */
  constructor(env: Readonly<Record<string, string>>, main = mainFile()) {
    this.logFile = join(this.folder, 'app.log');
    const output = openSync(this.logFile, 'a');
    this.child = spawn(process.execPath, [...countingArgs(), main], {
      cwd: this.folder,
      env: {
        ...inherited('PATH'),
        ...inherited('NODE_PATH'),
        ...compileCache(),
        ...env,
      },
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    writeFileSync(join(this.folder, PID_FILE), String(this.child.pid));
    this.ended = new Promise((resolve, reject) => {
      this.child.once('error', reject);
      this.child.once('exit', (code, signal) => {
        resolve({ code, signal });
      });
    });
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  get pid(): number {
    return this.child.pid ?? Number.NaN;
  }

  log(): string {
    return readFileSync(this.logFile, 'utf8');
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Deletes the log and the folder of the process. */
  discard(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Ends processes that failed tests have left running. @param folder value of {@link FOLDER_OF_APPS}; removed. */
export function endForgottenApps(folder: string): void {
  for (const name of readdirSync(folder)) {
    try {
      process.kill(Number(readFileSync(join(folder, name, PID_FILE), 'utf8')), 'SIGKILL');
    } catch {
      // The process has ended by itself.
    }
  }
  rmSync(folder, { recursive: true, force: true });
}

/** The service's built entry: `APP_MAIN`, or the workspace's own app. */
export function mainFile(): string {
  return process.env['APP_MAIN'] ?? join(workspaceRoot(), 'apps/api/dist/main.js');
}

/** @throws {Error} the folder is not inside the workspace. */
export function workspaceRoot(folder = process.cwd()): string {
  if (existsSync(join(folder, 'nx.json'))) return folder;
  if (dirname(folder) === folder) throw new Error('Not inside the workspace: no folder above holds nx.json');
  return workspaceRoot(dirname(folder));
}

/** Arguments of Node that make a process count the lines it runs. Empty unless `npm test` sets SERVICE_COVERAGE. */
export function countingArgs(): readonly string[] {
  if (process.env['SERVICE_COVERAGE'] === undefined) return [];
  return ['--import', pathToFileURL(join(workspaceRoot(), 'tools/coverage/count-lines.ts')).href];
}

/**
 * V8's cache of compiled code saves a third of the time of a start. Not used when lines are counted, because counts
 * would be less exact.
 */
function compileCache(): Record<string, string> {
  if (process.env['SERVICE_COVERAGE'] !== undefined) return {};
  return { NODE_COMPILE_CACHE: join(workspaceRoot(), 'tmp/compile-cache') };
}

/** Passes a variable of this process's environment on, if it is set. */
function inherited(name: string): Record<string, string> {
  const value = process.env[name];
  return value === undefined ? {} : { [name]: value };
}
