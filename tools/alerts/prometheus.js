import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@items/testing';
import { stringify } from 'yaml';

const START_MS = 30_000;

/**
 * A series with its current value.
 * @typedef {{ metric: Record<string, string>, value: [time: number, value: string] }} Sample
 */

/** Checks if Prometheus is installed (Debian: package `prometheus`). */
export function hasPrometheus() {
  return spawnSync('prometheus', ['--version']).error === undefined;
}

/** A separate Prometheus that scrapes its targets every two seconds and deletes its data when it stops. */
export class Prometheus {
  /** @type {Map<string, string>} addresses by the names of instances */
  #targets = new Map();
  #folder = mkdtempSync(join(tmpdir(), 'items-prometheus-'));
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #process;
  #url = '';

  /** @param {string} rules text of a rule file of Prometheus. */
  static async start(rules) {
    const prometheus = new Prometheus();
    await prometheus.#start(rules);
    return prometheus;
  }

  /** @param {string} rules */
  async #start(rules) {
    const port = await freePort();
    this.#url = `http://127.0.0.1:${port}`;
    const config = {
      global: { scrape_interval: '2s', scrape_timeout: '2s', evaluation_interval: '1s' },
      rule_files: ['rules.yml'],
      scrape_configs: [{ job_name: 'items', file_sd_configs: [{ files: ['targets.json'], refresh_interval: '1s' }] }],
    };
    writeFileSync(join(this.#folder, 'rules.yml'), rules);
    writeFileSync(join(this.#folder, 'prometheus.yml'), stringify(config));
    this.#writeTargets();
    const args = [
      '--config.file=prometheus.yml',
      '--storage.tsdb.path=data',
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ];
    this.#process = spawn('prometheus', args, { cwd: this.#folder, stdio: ['ignore', 'inherit', 'inherit'] });
    const isReady = () => fetch(`${this.#url}/-/ready`).then(({ ok }) => ok, () => false); // prettier-ignore
    for (const deadline = Date.now() + START_MS; !(await isReady()); await sleep(100)) {
      if (Date.now() > deadline) throw new Error(`Prometheus is not ready after ${START_MS / 1000} s.`);
    }
  }

  /** @param {string} instance @param {number} port of 127.0.0.1 */
  add(instance, port) {
    this.#targets.set(instance, `127.0.0.1:${port}`);
    this.#writeTargets();
  }

  /** @param {string} instance */
  remove(instance) {
    this.#targets.delete(instance);
    this.#writeTargets();
  }

  /**
   * Returns the names of the alerts that fire for an instance.
   * @param {string} instance
   * @returns {Promise<string[]>}
   */
  async firing(instance) {
    const { alerts } = await this.#get('/api/v1/alerts');
    return alerts
      .filter(
        (/** @type {{ state: string, labels: Record<string, string> }} */ { state, labels }) =>
          state === 'firing' && labels.instance === instance,
      )
      .map((/** @type {{ labels: Record<string, string> }} */ { labels }) => labels.alertname)
      .sort();
  }

  /** @param {string} expression @returns {Promise<Sample[]>} */
  async query(expression) {
    const { result, resultType } = await this.#get(`/api/v1/query?query=${encodeURIComponent(expression)}`);
    return resultType === 'vector' ? result : [{ metric: {}, value: result }];
  }

  async stop() {
    if (this.#process !== undefined && this.#process.exitCode === null) {
      this.#process.kill('SIGTERM');
      await once(this.#process, 'exit');
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** @param {string} path */
  async #get(path) {
    const answer = await fetch(`${this.#url}${path}`);
    /** @type {any} what Prometheus documents */
    const { status, data, error } = await answer.json();
    if (status !== 'success') throw new Error(`${path}: ${error}`);
    return data;
  }

  /** Writes the file synchronously, because Prometheus may read it at any time. */
  #writeTargets() {
    const targets = [...this.#targets].map(([instance, address]) => ({ targets: [address], labels: { instance } }));
    writeFileSync(join(this.#folder, 'targets.new'), JSON.stringify(targets));
    renameSync(join(this.#folder, 'targets.new'), join(this.#folder, 'targets.json'));
  }
}
