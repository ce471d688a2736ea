import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Program } from './program.js';
import { waitUntil } from './wait-until.js';

/** PostgreSQL and its kind refuse to run as root; this is the unprivileged user of every common system. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };

/** On a machine that is busy with other things too. */
const READY_LIMIT_MS = 60_000;

/** The processes of one topology, and the folder that holds all that they write. */
export class Site {
  /** The user for programs that must not run as root; undefined where we are not root. */
  as = process.getuid?.() === 0 ? UNPRIVILEGED : undefined;
  /** @type {(() => unknown)[]} */
  #undo = [];

  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'items-site-'));
    chmodSync(this.folder, 0o755);
    this.#endWithUs();
  }

  /**
   * A folder below the site's, for who runs the databases.
   * @param {string} name
   */
  folderOf(name) {
    const folder = join(this.folder, name);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (this.as !== undefined) chownSync(folder, this.as.uid, this.as.gid);
    return folder;
  }

  /** @param {string} name @param {string} text @param {{ uid: number, gid: number }} [owner] @returns its path. */
  file(name, text, owner) {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    if (owner !== undefined) chownSync(path, owner.uid, owner.gid);
    return path;
  }

  /**
   * Starts a process, and waits until it does its work.
   * @param {import('./program.js').ProgramPlan} plan
   * @param {() => unknown} isReady
   * @throws {Error} with what it printed, where it ends or is not ready in time.
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

  /** @param {() => unknown} undo is done at the end, the latest first. @param {Program} [program] */
  atEnd(undo, program) {
    this.#undo.push(undo);
    if (program !== undefined) this.#programs.add(program);
  }

  /** Ends all processes and removes what they wrote. */
  async stop() {
    for (const undo of this.#undo.splice(0).reverse()) await undo();
    this.#remove();
  }

  #remove() {
    // What is on its way out may still write.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }

  /** @type {Set<Program>} */
  #programs = new Set();

  /** However this process ends, nothing of the site outlives it. */
  #endWithUs() {
    process.once('exit', () => {
      for (const program of this.#programs)
        program.signal(program.plan.endSignal === 'SIGQUIT' ? 'SIGQUIT' : 'SIGKILL');
      this.#remove();
    });
  }
}
