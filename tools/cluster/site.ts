import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Program, type ProgramPlan } from './program.ts';
import { waitUntil } from './wait-until.ts';

/** PostgreSQL and similar programs refuse to run as root. This is the unprivileged user of all common systems. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };

/** Generous, because the machine may be busy. */
const READY_LIMIT_MS = 60_000;

/** The processes of one topology, and the folder for all their files. */
export class Site {
  readonly folder = mkdtempSync(join(tmpdir(), 'items-site-'));
  /** User for programs that must not run as root; undefined if the current user is not root. */
  as = process.getuid?.() === 0 ? UNPRIVILEGED : undefined;
  #undo: (() => unknown)[] = [];
  #programs = new Set<Program>();

  constructor() {
    chmodSync(this.folder, 0o755);
    // Kills all processes of the site if this process ends for any reason.
    process.once('exit', () => {
      for (const program of this.#programs)
        program.signal(program.plan.endSignal === 'SIGQUIT' ? 'SIGQUIT' : 'SIGKILL');
      this.#remove();
    });
  }

  /** Creates a folder in the folder of the site, owned by the user of the databases. */
  folderOf(name: string) {
    const folder = join(this.folder, name);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (this.as !== undefined) chownSync(folder, this.as.uid, this.as.gid);
    return folder;
  }

  /** Writes a file in the folder of the site, and returns its path. */
  file(name: string, text: string, owner?: { uid: number; gid: number }) {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    if (owner !== undefined) chownSync(path, owner.uid, owner.gid);
    return path;
  }

  /**
   * Starts a process and waits until it is ready.
   * @throws {Error} if it ends or is not ready in time. The message contains its output.
   */
  async run(plan: ProgramPlan, isReady: () => unknown) {
    const program = new Program(plan, join(this.folder, `${plan.name}.log`));
    this.atEnd(() => program.end(), program);
    program.start();
    await this.ready(program, isReady);
    return program;
  }

  async ready(program: Program, isReady: () => unknown) {
    const { name } = program.plan;
    try {
      await waitUntil(`${name} is ready`, async () => !program.isRunning || (await isReady()), READY_LIMIT_MS);
    } catch (error) {
      throw new Error(`${name} is not ready; it said:\n${program.log()}`, { cause: error });
    }
    if (!program.isRunning) throw new Error(`${name} ended before it was ready; it said:\n${program.log()}`);
  }

  /** Adds a cleanup. They run in reverse order. */
  atEnd(undo: () => unknown, program?: Program) {
    this.#undo.push(undo);
    if (program !== undefined) this.#programs.add(program);
  }

  /** Ends all processes and deletes their files. */
  async stop() {
    for (const undo of this.#undo.splice(0).reverse()) await undo();
    this.#remove();
  }

  #remove() {
    // A process that is ending may still write files.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}
