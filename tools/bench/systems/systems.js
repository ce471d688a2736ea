import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ServerProcess, workspacePath } from '../server-process.js';
import { startService } from '../service.js';
import { seededFiles, seededPostgres } from './databases.js';

/** @typedef {{ name: string, process: ServerProcess, address: string, headers: Record<string, string> }} System */
/**
 * @typedef {{ service: System, baseline: System, ids: string[] }} Pair systems with the same items, and a sample of
 * their ids.
 */

/** Systems to compare. Each is started on first use, so an unused one costs nothing. */
export class Systems {
  /** @type {(() => unknown)[]} */
  #undo = [];
  /** @type {Promise<Pair & { usual: () => Promise<System> }> | undefined} */
  #sqlite;
  /** @type {Promise<Pair> | undefined} */
  #postgres;

  /**
   * @param {{ rows: number, node: string, imports?: string[] }} options number of items, the Node that runs the
   * servers, and modules to load before them.
   */
  constructor({ rows, ...run }) {
    this.rows = rows;
    this.run = run;
  }

  sqlite() {
    return (this.#sqlite ??= this.#startSqlite());
  }

  postgres() {
    return (this.#postgres ??= this.#startPostgres());
  }

  async stop() {
    for (const undo of this.#undo.reverse()) await undo();
  }

  async #startSqlite() {
    const folder = mkdtempSync(join(tmpdir(), 'items-bench-'));
    this.#undo.push(() => rmSync(folder, { recursive: true }));
    const { files, ids } = await seededFiles(folder, this.rows, ['service', 'baseline', 'usual']);
    const [own = '', plain = '', usual = ''] = files;
    const service = await this.#service(`sqlite:${own}`);
    const baseline = await this.#script('bare Fastify', 'tools/bench/baseline/sqlite.js', plain);
    /** @type {Promise<System> | undefined} */
    let started;
    const startUsual = () => this.#script('usual Nest', 'tools/bench/usual-nest/dist/main.js', usual);
    return { service, baseline, ids, usual: () => (started ??= startUsual()) };
  }

  async #startPostgres() {
    const { url, ids, drop } = await seededPostgres(this.rows);
    this.#undo.push(drop);
    const service = await this.#service(url);
    const baseline = await this.#script('bare Fastify + pg', 'tools/bench/baseline/postgres.js', url);
    return { service, baseline, ids };
  }

  /** @param {string} url @returns {Promise<System>} */
  async #service(url) {
    const service = await startService(url, {}, this.run);
    this.#undo.push(() => service.process.stop());
    return { name: 'the service', ...service };
  }

  /** @param {string} name @param {string} path @param {string} database @returns {Promise<System>} */
  async #script(name, path, database) {
    const process_ = new ServerProcess(workspacePath(path), [database], process.env, this.run);
    this.#undo.push(() => process_.stop());
    return { name, process: process_, address: await process_.address(), headers: { 'x-api-key': 'usual-key' } };
  }
}
