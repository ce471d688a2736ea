import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Program } from './program.js';
import { waitUntil } from './wait-until.js';

/** PostgreSQL and similar programs refuse to run as root. This is the unprivileged user of all common systems. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };

/** Generous, because the machine may be busy. */
const READY_LIMIT_MS = 60_000;

/** The processes of one topology, and the folder for all their files. */
export class Site {
  /** User for programs that must not run as root; undefined if the current user is not root. */
  as = process.getuid?.() === 0 ? UNPRIVILEGED : undefined;
  /** @type {(() => unknown)[]} */
  #undo = [];

  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'items-site-'));
    chmodSync(this.folder, 0o755);
    this.#endWithUs();
  }

  /**
   * Creates a folder in the folder of the site, owned by the user of the databases.
   * @param {string} name
   */
  folderOf(name) {
    const folder = join(this.folder, name);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (this.as !== undefined) chownSync(folder, this.as.uid, this.as.gid);
    return folder;
  }

  /** @param {string} name @param {string} text @param {{ uid: number, gid: number }} [owner] @returns the path. */
  file(name, text, owner) {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    if (owner !== undefined) chownSync(path, owner.uid, owner.gid);
    return path;
  }

  /**
   * Starts a process and waits until it is ready.
   * @param {import('./program.js').ProgramPlan} plan
   * @param {() => unknown} isReady
   * @throws {Error} if it ends or is not ready in time. The message contains its output.
   */
  async run(plan, isReady) {
    const program = new Program(plan, join(this.folder, `${plan.name}.log`));
    this.atEnd(() => program.end(), program);
    program.start();
    await this.ready(program, isReady);
    return program;
  }

  /** @param {Program} program @param {() => unknown} isReady */
  async ready(program, isReady) {
    const { name } = program.plan;
    try {
      await waitUntil(`${name} is ready`, async () => !program.isRunning || (await isReady()), READY_LIMIT_MS);
    } catch (error) {
      throw new Error(`${name} is not ready; it said:\n${program.log()}`, { cause: error });
    }
    if (!program.isRunning) throw new Error(`${name} ended before it was ready; it said:\n${program.log()}`);
  }

  /** @param {() => unknown} undo cleanup; runs in reverse order. @param {Program} [program] */
  atEnd(undo, program) {
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

  /** @type {Set<Program>} */
  #programs = new Set();

  /** Kills all processes of the site if this process ends for any reason. */
  #endWithUs() {
    process.once('exit', () => {
      for (const program of this.#programs)
        program.signal(program.plan.endSignal === 'SIGQUIT' ? 'SIGQUIT' : 'SIGKILL');
      this.#remove();
    });
  }
}
