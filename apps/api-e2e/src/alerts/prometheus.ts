import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort, waitUntil } from '@items/testing';
import { stringify } from 'yaml';

/** Debian: package `prometheus`. */
export const hasPrometheus = spawnSync('prometheus', ['--version']).error === undefined;

interface FiringAlert {
  readonly state: string;
  readonly labels: Readonly<Record<'alertname' | 'instance', string>>;
}

type Value = readonly [time: number, value: string];

/** A separate Prometheus that scrapes its targets every two seconds and deletes its data when it stops. */
export class Prometheus {
  /** Addresses by the names of instances. */
  private readonly targets = new Map<string, string>();
  private readonly folder = mkdtempSync(join(tmpdir(), 'items-prometheus-'));
  private process: ChildProcess | undefined;
  private url = '';

  /** @param rules text of a rule file. */
  static async start(rules: string): Promise<Prometheus> {
    const prometheus = new Prometheus();
    await prometheus.run(rules);
    return prometheus;
  }

  private async run(rules: string): Promise<void> {
    const address = `127.0.0.1:${await freePort()}`;
    this.url = `http://${address}`;
    const config = {
      global: { scrape_interval: '2s', scrape_timeout: '2s', evaluation_interval: '1s' },
      rule_files: ['rules.yml'],
      scrape_configs: [{ job_name: 'items', file_sd_configs: [{ files: ['targets.json'], refresh_interval: '1s' }] }],
    };
    writeFileSync(join(this.folder, 'rules.yml'), rules);
    writeFileSync(join(this.folder, 'prometheus.yml'), stringify(config));
    this.writeTargets();
    const paths = ['--config.file=prometheus.yml', '--storage.tsdb.path=data'];
    this.process = spawn('prometheus', [...paths, `--web.listen-address=${address}`, '--log.level=error'], {
      cwd: this.folder,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    await waitUntil('Prometheus is ready', async () => (await fetch(`${this.url}/-/ready`)).ok);
  }

  /** @param port of 127.0.0.1. */
  add(instance: string, port: number): void {
    this.targets.set(instance, `127.0.0.1:${port}`);
    this.writeTargets();
  }

  remove(instance: string): void {
    this.targets.delete(instance);
    this.writeTargets();
  }

  async firing(instance: string): Promise<string[]> {
    const { alerts } = (await this.get('/api/v1/alerts')) as { alerts: readonly FiringAlert[] };
    const firing = alerts.filter(({ state, labels }) => state === 'firing' && labels.instance === instance);
    // An alert on an error budget may fire twice, for reads and for writes.
    return [...new Set(firing.map(({ labels }) => labels.alertname))].sort();
  }

  /** Returns the current value of each series of an expression. */
  async query(expression: string): Promise<number[]> {
    const { result, resultType } = (await this.get(`/api/v1/query?query=${encodeURIComponent(expression)}`)) as {
      result: readonly { readonly value: Value }[] | Value;
      resultType: string;
    };
    const values =
      resultType === 'vector' ? (result as { value: Value }[]).map(({ value }) => value) : [result as Value];
    return values.map(([, value]) => Number(value));
  }

  async stop(): Promise<void> {
    if (this.process?.exitCode === null) {
      this.process.kill('SIGTERM');
      await once(this.process, 'exit');
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async get(path: string): Promise<unknown> {
    const answer = await fetch(`${this.url}${path}`);
    const { status, data, error } = (await answer.json()) as { status: string; data: unknown; error: unknown };
    if (status !== 'success') throw new Error(`${path}: ${String(error)}`);
    return data;
  }

  /** Writes the file synchronously, because Prometheus may read it at any time. */
  private writeTargets(): void {
    const targets = [...this.targets].map(([instance, address]) => ({ targets: [address], labels: { instance } }));
    writeFileSync(join(this.folder, 'targets.new'), JSON.stringify(targets));
    renameSync(join(this.folder, 'targets.new'), join(this.folder, 'targets.json'));
  }
}
