import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Program, type ProgramPlan, type User } from './program.js';
import { waitUntil } from './wait-until.js';

/** PostgreSQL and similar programs refuse to run as root. This is the unprivileged user of all common systems. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };

/** Generous, because the machine may be busy. */
const READY_LIMIT_MS = 60_000;

/** The processes of one topology, and the folder for all their files. */
export class Site {
  readonly folder = mkdtempSync(join(tmpdir(), 'items-site-'));
  /** For programs that must not run as root; empty if the current user is not root. */
  readonly as: { readonly as?: User } = process.getuid?.() === 0 ? { as: UNPRIVILEGED } : {};
  private readonly undo: (() => unknown)[] = [];
  private readonly remove = (): void => {
    // A process that is ending may still write files.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };

  constructor() {
    chmodSync(this.folder, 0o755);
    process.once('exit', this.remove);
  }

  /** Creates a folder in the folder of the site, owned by the user of the databases. */
  folderOf(name: string): string {
    const folder = join(this.folder, name);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { as } = this.as;
    if (as !== undefined) chownSync(folder, as.uid, as.gid);
    return folder;
  }

  file(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    return path;
  }

  /**
   * Starts a process and waits until it is ready.
   * @throws {Error} if it ends or is not ready in time. The message contains its output.
   */
  async run(plan: ProgramPlan, isReady: () => unknown): Promise<Program> {
    const program = new Program(plan, join(this.folder, `${plan.name}.log`));
    this.atEnd(() => program.end());
    program.start();
    await this.ready(program, isReady);
    return program;
  }

  async ready(program: Program, isReady: () => unknown): Promise<void> {
    const { name } = program.plan;
    try {
      await waitUntil(`${name} is ready`, async () => !program.isRunning || (await isReady()), READY_LIMIT_MS);
    } catch (error) {
      throw new Error(`${name} is not ready; it said:\n${program.log()}`, { cause: error });
    }
    if (!program.isRunning) throw new Error(`${name} ended before it was ready; it said:\n${program.log()}`);
  }

  /** @param undo cleanup; runs in reverse order. */
  atEnd(undo: () => unknown): void {
    this.undo.push(undo);
  }

  /** Ends all processes and deletes their files. */
  async stop(): Promise<void> {
    for (const undo of this.undo.splice(0).reverse()) await undo();
    process.off('exit', this.remove);
    this.remove();
  }
}
